import { brief } from '../../contract/report/words.ts';
import type { Target } from '../../contract/round/target.ts';
import { masked } from '../../contract/secrets/masked.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { type Core, startCore } from './core.ts';
import type { RelayContext } from './exchange.ts';
import { unverifiedPact, verifySource } from './pact-verification.ts';
import { Provider, reasonOfFailure, whyUnjudged } from './provider.ts';
import { openRelay } from './relay.ts';
import { stateHandler } from './state-handler.ts';
import { formsOf } from './state-setup.ts';
import type { Cleaning, PactResult, Source, Verification } from './verification.ts';

export interface VerifyOptions extends Omit<RelayContext, 'provider'> {
  readonly sources: readonly Source[];
  /** The provider, and its displayed name. */
  readonly provider: { readonly name: string; readonly target: Target };
  /** Whether an unverified interaction leads to exit code 2. */
  readonly strict?: boolean;
  /** Aborts the run at once with its reason. The provider's clock is still released. */
  readonly signal?: AbortSignal;
  /** A core that already runs. This run does not close it. */
  readonly core?: Core;
  /** The provider team's own state handler. */
  readonly statesUrl?: URL;
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
    provider: { name, target },
    strict = false,
    statesUrl,
  } = options;
  const stateValues = new Scrubber();
  const handler =
    statesUrl && stateHandler(statesUrl, target.connection, (field, text) => hide(field, text));
  const provider = new Provider(target, signal, handler);
  const hide = hiding(sources, provider, stateValues);
  const { foreign, own } = cleaning(provider, stateValues);
  const pacts: PactResult[] = [];
  let [unjudged, defect]: (string | undefined)[] = [];
  try {
    unjudged = await run(options, provider, { foreign, own }, pacts);
  } catch (error) {
    defect = String(error instanceof Error ? error.stack : error);
  } finally {
    await handler?.tearDown();
    await provider.time?.release().catch((error: unknown) => {
      // The caller that ended the run must get the error too.
      if (signal?.aborted === true) throw error;
      unjudged ??= whyUnjudged(error) ?? String(error);
    });
  }
  signal?.throwIfAborted();
  const why =
    defect === undefined ? (unjudged ?? '') : 'a defect of this suite ended the run before it';
  const left = sources.slice(pacts.length).map((source) => unverifiedPact(source, foreign(why)));
  const all = [...pacts.map((pact) => proved(pact, provider.admitted)), ...left];
  return {
    target: name,
    pacts: all,
    unjudged: defect === undefined && unjudged !== undefined ? foreign(unjudged) : undefined,
    defect: defect?.split('\n').map(foreign).join('\n'),
    requests: provider.client.requests(),
    clean: own,
    exit: defect === undefined ? exitOf(all, unjudged, strict) : 3,
  };
}

const namesCredential = /key$|token$|secret$|password$|authorization$|session(_?id)?$/i;

/** Hides values of the state handler. */
function hiding(sources: readonly Source[], { client }: Provider, stateValues: Scrubber) {
  const documents = sources.flatMap(({ pact }) => pact.interactions.map((one) => one.document));
  const pacts = JSON.stringify(documents);
  return (name: string, text: string): void => {
    const forms = formsOf(text);
    // The client also hides parts of what is a credential by its name or its looks.
    const isCredential = namesCredential.test(name) || masked(text) !== text;
    // Other values may be secret, unless a pact holds them.
    if (!isCredential && forms.some((form) => pacts.includes(form))) return;
    for (const form of forms) (isCredential ? client : stateValues).learn(new Secret(form));
  };
}

/** An upper bound of the requests for one interaction: its states, their teardown, its control and itself. */
const mostRequests = 32;

/** Verifies each pact, until the provider can no longer be judged. @returns why it cannot */
async function run(
  {
    sources,
    provider: { target },
    signal,
    core,
    onVisit = () => {},
    replacesTokens,
  }: VerifyOptions,
  provider: Provider,
  clean: Cleaning,
  pacts: PactResult[],
): Promise<string | undefined> {
  if (sources.length === 0) return 'there is no pact to verify';
  const running = core ?? startCore(signal);
  const relay = await openRelay({ provider, onVisit, replacesTokens });
  const boundMs = mostRequests * (target.connection.timeoutMs + target.maxRetryAfterMs);
  try {
    const unjudged = await reasonOfFailure(provider.check());
    if (unjudged !== undefined) return unjudged;
    for (const source of sources) {
      const context = { provider, relay, core: running, boundMs, clean };
      pacts.push(await verifySource(source, context));
      if (relay.unjudged !== undefined) return relay.unjudged;
    }
    return undefined;
  } finally {
    relay.close();
    if (core === undefined) running.close();
  }
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
  const isAll = open.length > 0 && open.length === counted.length;
  return isAll || open.some(({ isPrevented }) => strict || isPrevented === true) ? 2 : 0;
}

/** Longer texts are cut: first roughly, and after the search for secrets. */
const longest = 600;

/** Every text of a result goes through this, since Pact's core and the relay know the secrets. */
function cleaning({ client }: Provider, stateValues: Scrubber): Cleaning {
  const fit = (text: string, scrub: (text: string) => string): string =>
    brief(printable(scrub(stateValues.scrubWhole(text.slice(0, 4 * longest)))), longest);
  return {
    foreign: (text) => fit(text, client.scrub),
    own: (text) => fit(text, client.scrubWhole),
  };
}
