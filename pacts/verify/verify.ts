import type { ApiClient } from '../../contract/http/client.ts';
import { brief, count } from '../../contract/report/words.ts';
import { scratch } from '../../contract/round/scratch.ts';
import type { Target } from '../../contract/round/target.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { type Interaction, PactError } from '../pact.ts';
import { type Core, startCore } from './core.ts';
import { Provider, reasonOfFailure, whyUnjudged } from './provider.ts';
import { openRelay } from './relay.ts';
import { SecretPlaceholders } from './secret-placeholders.ts';
import { refusal, unverifiedPact, verifySource } from './source.ts';
import { type StateHandler, stateHandler } from './state-handler.ts';
import { type StateSetup, setUpStates } from './state-setup.ts';
import type { Cleaning, PactResult, Source, Verification } from './verification.ts';

export interface VerifyOptions {
  readonly sources: readonly Source[];
  /** Pacts that were already refused. */
  readonly refused?: readonly PactResult[];
  /** The provider, and its displayed name. */
  readonly provider: { readonly name: string; readonly target: Target };
  /** Whether an unverified interaction leads to exit code 2. */
  readonly strict?: boolean;
  /** Aborts the run at once with its reason. The provider's clock is still released. */
  readonly signal?: AbortSignal;
  /** Called when an interaction begins. */
  readonly onVisit?: (interaction: Interaction) => void;
  /** A core that already runs. This run does not close it. */
  readonly core?: Core;
  /** The provider team's own state handler. */
  readonly statesUrl?: URL;
  /** Replaces this project's own setup of states. */
  readonly setUp?: StateSetup;
}

interface RunProgress {
  readonly pacts: PactResult[];
  unjudged?: string | undefined;
  /** Why an interaction could not be judged, though the provider can. */
  unanswered?: string | undefined;
  defect?: unknown;
}

/**
 * Verifies pacts against a provider, one after the other. It never throws because of the provider. The texts that it
 * adds to the result hold no secrets.
 * @throws the reason of the signal
 */
export async function verify(options: VerifyOptions): Promise<Verification> {
  const { sources, provider: underTest, signal } = options;
  const placeholders = new SecretPlaceholders();
  const provider = new Provider(underTest.target, signal, handlerOf(options, placeholders));
  const progress: RunProgress = { pacts: [] };
  try {
    if (sources.length + (options.refused ?? []).length === 0)
      progress.unjudged = 'there is no pact to verify';
    else if (sources.length > 0)
      await provider.connected(() => run(options, provider, placeholders, progress));
  } catch (error) {
    progress.defect = error;
  } finally {
    await provider.stateHandler?.tearDown();
    await provider.time?.release().catch((error: unknown) => {
      // The caller that ended the run must get the error too.
      if (signal?.aborted === true) throw error;
      progress.unjudged ??= whyUnjudged(error) ?? String(error);
    });
  }
  signal?.throwIfAborted();
  return conclusion(progress, options, provider, cleaning(provider.client, placeholders));
}

/** The state handler's values may be secrets, so they are masked, except for values that a pact already holds. */
function handlerOf(
  { statesUrl, sources, provider: { target } }: VerifyOptions,
  placeholders: SecretPlaceholders,
): StateHandler | undefined {
  if (statesUrl === undefined) return undefined;
  const pacts = sources.map(({ pact }) => JSON.stringify(pact.document));
  const isKnown = (text: string): boolean =>
    pacts.some((pact) => pact.includes(JSON.stringify(text).slice(1, -1)));
  return stateHandler(statesUrl, target.connection, (name, text) => {
    if (!isKnown(text)) placeholders.mask(name, text);
  });
}

/** Verifies each pact, until the provider can no longer be judged. */
async function run(
  {
    sources,
    provider: underTest,
    signal,
    core,
    onVisit = () => {},
    setUp = setUpStates,
  }: VerifyOptions,
  provider: Provider,
  placeholders: SecretPlaceholders,
  progress: RunProgress,
): Promise<void> {
  const { folder, remove } = scratch('pacts');
  const running = core ?? startCore(folder, signal);
  const relay = await openRelay({ provider, placeholders, setUp, onVisit });
  const { timeoutMs } = underTest.target.connection;
  const boundMs = requestsOf(sources) * (timeoutMs + underTest.target.maxRetryAfterMs);
  try {
    progress.unjudged = await reasonOfFailure(provider.check());
    for (const source of sources) {
      if (progress.unjudged !== undefined) return;
      const context = { provider, relay, core: running, folder, boundMs };
      const clean = cleaning(provider.client, placeholders);
      const result = await verifySource(source, context, clean).catch((error: unknown) => {
        if (!(error instanceof PactError)) throw error;
        return refusal(source, clean.own(error.message));
      });
      progress.pacts.push(result);
      progress.unjudged ??= relay.unjudged;
      if (!source.pending) progress.unanswered ??= relay.unanswered;
      relay.unanswered = undefined;
    }
  } finally {
    relay.close();
    if (core === undefined) running.close();
    remove();
  }
}

/** An upper bound of the requests for one interaction: its states, their teardown, its control and itself. */
function requestsOf(sources: readonly Source[]): number {
  const interactions = sources.flatMap(({ pact }) => pact.interactions);
  return 16 + 2 * Math.max(...interactions.map(({ states }) => states.length));
}

function conclusion(
  { pacts, unjudged, unanswered, defect }: RunProgress,
  { sources, provider, refused = [], strict = false }: VerifyOptions,
  { client }: Provider,
  { foreign: clean, own }: Cleaning,
): Verification {
  const why = defect === undefined ? unjudged : 'a defect of this suite ended the run before it';
  const left = sources
    .slice(pacts.length)
    .map((source) => unverifiedPact(source, clean(why ?? '')));
  const all = [...pacts, ...left, ...refused];
  const reason =
    defect === undefined ? (unjudged ?? unanswered ?? nothingVerified(all)) : undefined;
  return {
    target: provider.name,
    pacts: all,
    unjudged: reason && clean(reason),
    defect: defect === undefined ? undefined : stackOf(defect).split('\n').map(clean).join('\n'),
    requests: client.requests(),
    clean: own,
    exit: defect === undefined ? exitOf(all, reason, strict) : 3,
  };
}

const isRefused = ({ refused }: PactResult): boolean => refused !== undefined;

/**
 * Why a run is not a success if all interactions are unverified; undefined otherwise. Pacts that are refused show
 * nothing about the provider.
 */
function nothingVerified(pacts: readonly PactResult[]): string | undefined {
  if (pacts.every(isRefused)) return undefined;
  const all = pacts.flatMap(({ interactions }) => interactions);
  if (all.some(({ ending }) => ending !== 'unverified')) return undefined;
  const [why = '', ...others] = new Set(all.flatMap(({ reason }) => reason ?? []));
  const more = others.length === 0 ? '' : ` (and ${count(others.length, 'other reason')})`;
  return `no interaction could be verified: ${why}${more}`;
}

/**
 * The exit code. A pact that the broker reports as pending does not fail the run. An interaction that its consumer
 * declares pending does not either. If every pact is refused, pending or not, nothing was verified.
 */
function exitOf(
  pacts: readonly PactResult[],
  unjudged: string | undefined,
  strict: boolean,
): 0 | 1 | 2 {
  const counted = pacts.filter(({ source }) => !source.pending);
  const counting = counted
    .flatMap(({ interactions }) => interactions)
    .filter(({ interaction }) => !interaction.pending)
    .map(({ ending }) => ending);
  if (counting.includes('failed')) return 1;
  if (unjudged !== undefined || counted.some(isRefused) || pacts.every(isRefused)) return 2;
  return strict && counting.includes('unverified') ? 2 : 0;
}

const stackOf = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Longer texts are cut before the search for secrets (`searched`), and after it (`longest`). */
const longest = 600;
const searched = 4 * longest;

function cleaning({ scrub, scrubWhole }: ApiClient, placeholders: SecretPlaceholders): Cleaning {
  const fit = (text: string, by: (text: string) => string): string =>
    brief(printable(by(placeholders.shown(text.slice(0, searched)))), longest);
  return { foreign: (text) => fit(text, scrub), own: (text) => fit(text, scrubWhole) };
}
