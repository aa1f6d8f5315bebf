import { brief } from '../../contract/report/words.ts';
import { scratch } from '../../contract/round/scratch.ts';
import type { Target } from '../../contract/round/target.ts';
import { masked } from '../../contract/secrets/masked.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import type { Interaction } from '../pact.ts';
import { type Core, startCore } from './core.ts';
import { unverifiedPact, verifySource } from './pact-verification.ts';
import { Provider, reasonOfFailure, whyUnjudged } from './provider.ts';
import { openRelay } from './relay.ts';
import { stateHandler } from './state-handler.ts';
import { formsOf } from './state-setup.ts';
import type { Cleaning, PactResult, Source, Verification } from './verification.ts';

export interface VerifyOptions {
  readonly sources: readonly Source[];
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
  /** Whether a valid token replaces a token that no state gave; it does by default. */
  readonly replacesTokens?: boolean;
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
  const {
    sources,
    signal,
    statesUrl,
    provider: { target },
  } = options;
  const stateValues = new Scrubber();
  const pacts = JSON.stringify(
    sources.map(({ pact }) => pact.interactions.map(({ document }) => document)),
  );
  const handler =
    statesUrl &&
    stateHandler(statesUrl, target.connection, (name, text) => {
      const forms = formsOf(text);
      // The client also hides parts of what is a credential by its name or its looks.
      if (namesCredential.test(name) || masked(text) !== text)
        for (const form of forms) provider.client.learn(new Secret(form));
      // Other values may be secret, unless a pact holds them.
      else if (!forms.some((form) => pacts.includes(form)))
        for (const form of forms) stateValues.learn(new Secret(form));
    });
  const provider = new Provider(target, signal, handler, options.replacesTokens);
  const clean = cleaning(provider, stateValues);
  const progress: RunProgress = { pacts: [] };
  try {
    if (sources.length > 0) await provider.connected(() => run(options, provider, clean, progress));
    else progress.unjudged = 'there is no pact to verify';
  } catch (error) {
    progress.defect = error;
  } finally {
    await handler?.tearDown();
    await provider.time?.release().catch((error: unknown) => {
      // The caller that ended the run must get the error too.
      if (signal?.aborted === true) throw error;
      progress.unjudged ??= whyUnjudged(error) ?? String(error);
    });
  }
  signal?.throwIfAborted();
  return conclusion(progress, options, provider, clean);
}

const namesCredential = /key$|token$|secret$|password$|authorization$|session(_?id)?$/i;

/** An upper bound of the requests for one interaction: its states, their teardown, its control and itself. */
const mostRequests = 32;

/** Verifies each pact, until the provider can no longer be judged. */
async function run(
  { sources, provider: { target }, signal, core, onVisit = () => {} }: VerifyOptions,
  provider: Provider,
  clean: Cleaning,
  progress: RunProgress,
): Promise<void> {
  const { folder, remove } = scratch('pacts');
  const running = core ?? startCore(folder, signal);
  const relay = await openRelay({ provider, onVisit });
  const boundMs = mostRequests * (target.connection.timeoutMs + target.maxRetryAfterMs);
  try {
    progress.unjudged = await reasonOfFailure(provider.check());
    for (const source of sources) {
      if (progress.unjudged !== undefined) return;
      const context = { provider, relay, core: running, folder, boundMs, clean };
      progress.pacts.push(await verifySource(source, context));
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

function conclusion(
  { pacts, unjudged, unanswered, defect }: RunProgress,
  { sources, provider, strict = false }: VerifyOptions,
  { client, admitted }: Provider,
  { foreign, own }: Cleaning,
): Verification {
  const isDefective = defect !== undefined;
  const why = isDefective ? 'a defect of this suite ended the run before it' : (unjudged ?? '');
  const left = sources.slice(pacts.length).map((source) => unverifiedPact(source, foreign(why)));
  const all = [...pacts.map((pact) => proved(pact, admitted)), ...left];
  const reason = isDefective ? undefined : (unjudged ?? unanswered);
  const stack = defect instanceof Error ? (defect.stack ?? defect.message) : String(defect);
  return {
    target: provider.name,
    pacts: all,
    unjudged: reason && foreign(reason),
    isCut: isDefective || unjudged !== undefined,
    defect: isDefective ? stack.split('\n').map(foreign).join('\n') : undefined,
    requests: client.requests(),
    clean: own,
    exit: isDefective ? 3 : exitOf(all, reason, strict),
  };
}

/** A pact whose refusals are proved by other interactions of the run, or else unverified. */
const proved = (pact: PactResult, admitted: ReadonlySet<string>): PactResult => ({
  ...pact,
  interactions: pact.interactions.map(({ needs, ...result }) =>
    needs === undefined || admitted.has(needs)
      ? result
      : { ...result, ending: 'unverified', reason: withoutControl(needs) },
  ),
});

const withoutControl = (request: string): string =>
  `a 401 proves nothing without the same request with a valid token, which might change something: add an interaction in which ${request} is admitted, or add it to PUBLIC_API_ENDPOINTS if it may be sent`;

/**
 * The exit code. A pact that the broker reports as pending does not fail the run. An interaction that its consumer
 * declares pending does not either.
 */
function exitOf(
  pacts: readonly PactResult[],
  unjudged: string | undefined,
  strict: boolean,
): 0 | 1 | 2 {
  const counted = pacts
    .filter(({ source }) => !source.pending)
    .flatMap(({ interactions }) => interactions)
    .filter(({ interaction }) => !interaction.pending);
  if (counted.some(({ ending }) => ending === 'failed')) return 1;
  if (unjudged !== undefined) return 2;
  const open = counted.filter(({ ending }) => ending === 'unverified');
  const isWrong = open.some(({ interaction }) => interaction.problem !== undefined);
  const isAll = open.length === counted.length;
  return open.length > 0 && (strict || isWrong || isAll) ? 2 : 0;
}

/** Longer texts are cut before the search for secrets (`searched`), and after it (`longest`). */
const longest = 600;
const searched = 4 * longest;

/** Every text of a result goes through this, since Pact's core and the relay know the secrets. */
function cleaning({ client }: Provider, stateValues: Scrubber): Cleaning {
  const fit = (text: string, scrub: (text: string) => string): string =>
    brief(printable(scrub(stateValues.scrubWhole(text.slice(0, searched)))), longest);
  return {
    foreign: (text) => fit(text, client.scrub),
    own: (text) => fit(text, client.scrubWhole),
  };
}
