import type { Target } from '../../contract/round/target.ts';
import type { PactResult, Source, Verification } from '../verification.ts';
import { type Core, startCore } from './core.ts';
import type { RelayContext } from './exchange.ts';
import { unverifiedPact, verifySource } from './pact-verification.ts';
import { Provider, reasonOfFailure, whyUnjudged } from './provider.ts';
import { openRelay } from './relay.ts';
import { stateHandler } from './state-handler.ts';
import { encodeForms, hideText } from './state-setup.ts';

export interface VerifyOptions extends Omit<RelayContext, 'provider'> {
  readonly sources: readonly Source[];
  /** The provider, and its displayed name. */
  readonly provider: Target & { readonly name: string };
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
  const { sources, signal, strict, statesUrl, provider: target } = options;
  const handler = statesUrl && stateHandler(statesUrl, target.connection, (text) => hide(text));
  const provider = new Provider(target, signal, handler);
  const hide = hiding(sources, provider);
  const { clean } = provider;
  const pacts: PactResult[] = [];
  let [unjudged, defect]: (string | undefined)[] = [];
  try {
    unjudged = await run(options, provider, pacts);
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
  const why = clean.foreign(
    defect === undefined ? (unjudged ?? '') : 'a defect of this suite ended the run before it',
  );
  const left = sources.slice(pacts.length).map((source) => unverifiedPact(source, why));
  const all = [...pacts.map((pact) => proved(pact, provider.admitted)), ...left];
  return {
    target: target.name,
    pacts: all,
    unjudged: defect === undefined && unjudged !== undefined ? why : undefined,
    defect: defect?.split('\n').map(clean.foreign).join('\n'),
    requests: provider.client.requests(),
    clean: clean.own,
    exit: defect === undefined ? chooseExit(all, unjudged, strict) : 3,
  };
}

/** Hides values of the state handler that no pact holds. */
function hiding(sources: readonly Source[], { client }: Provider) {
  const documents = sources.flatMap(({ pact }) =>
    pact.interactions.map((interaction) => interaction.document),
  );
  const pacts = JSON.stringify(documents);
  return (text: string): void => {
    if (!encodeForms(text).some((form) => pacts.includes(form))) hideText(text, client);
  };
}

/** Verifies each pact, until the provider can no longer be judged. @returns why it cannot */
async function run(
  { sources, signal, core, onVisit, replacesTokens }: VerifyOptions,
  provider: Provider,
  pacts: PactResult[],
): Promise<string | undefined> {
  if (sources.length === 0) return 'there is no pact to verify';
  const running = core ?? startCore(signal);
  const relay = await openRelay({ provider, onVisit, replacesTokens });
  const context = { provider, relay, core: running };
  try {
    const unjudged = await reasonOfFailure(provider.check());
    if (unjudged !== undefined) return unjudged;
    for (const source of sources) {
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

/** The exit code. What the broker reports as pending, or its consumer declares pending, does not fail the run. */
function chooseExit(pacts: readonly PactResult[], unjudged?: string, strict = false): 0 | 1 | 2 {
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
