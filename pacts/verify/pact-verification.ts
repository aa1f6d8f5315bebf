import { at, field, isObject, parsedJson, textIn } from '../../contract/json-value.ts';
import { mask } from '../../contract/secrets/masked.ts';
import { acceptsAnyStatus, type Interaction, type Pact } from '../pact.ts';
import type { InteractionResult, Mismatch, PactResult, Source, Visit } from '../verification.ts';
import { findWarnings } from '../warnings.ts';
import { type Core, createCopy } from './core.ts';
import type { Provider } from './provider.ts';
import type { Relay } from './relay.ts';

interface Context {
  readonly provider: Provider;
  readonly relay: Relay;
  readonly core: Core;
}

/**
 * Verifies the interactions of a pact. Those that cannot be read are not sent, and get the reason as result.
 * @throws errors of the core and of the relay: defects of this suite
 */
export async function verifySource(source: Source, context: Context): Promise<PactResult> {
  const { pact } = source;
  const { apiKey, secretKey } = context.provider.account;
  const readable = pact.interactions.filter(({ problem }) => problem === undefined);
  const results = await inCore(pact, readable, context);
  const interactions = pact.interactions.map((interaction) => ({
    ...(results.get(interaction) ?? unverified(interaction, '')),
    warnings: findWarnings(interaction, [apiKey, secretKey]),
  }));
  return { source, interactions };
}

/**
 * Verifies interactions in one run of the core. A pact that it cannot read, or of which it leaves interactions out
 * after a value that it cannot convert, is verified again without the others.
 */
async function inCore(
  pact: Pact,
  interactions: readonly Interaction[],
  context: Context,
): Promise<ReadonlyMap<Interaction, InteractionResult>> {
  const [first, ...rest] = interactions;
  if (first === undefined) return new Map();
  const { relay, core } = context;
  const { clean } = context.provider;
  const admitted = interactions.map((interaction) => relay.admit(interaction));
  const marks = new Map(admitted.map(([mark, { interaction }]) => [interaction, mark]));
  const output = await core.verify(createCopy(pact, marks), relay);
  if (relay.defect !== undefined) throw relay.defect;
  const results = parsedJson(output);
  const why = whyUnread(results);
  if (why !== undefined && rest.length > 0) {
    const alone = await inCore(pact, [first], context);
    return new Map([...alone, ...(await inCore(pact, rest, context))]);
  }
  if (why !== undefined) {
    const reason = clean.own(`Pact cannot read it: ${why}`);
    return new Map([[first, { ...unverified(first, reason), isPrevented: true }]]);
  }
  const byMark = resultsByMark(results, output);
  const isBegun = admitted.some(([, { setUps }]) => setUps > 0);
  const judgements = admitted
    // If the core has set up none, it and the relay do not agree.
    .filter(([, { setUps }]) => setUps > 0 || !isBegun)
    .map(([mark, visit]): [Interaction, InteractionResult] => [
      visit.interaction,
      judgeVisit(visit, byMark.get(mark) ?? [], clean),
    ]);
  const done = new Map(judgements);
  const left = interactions.filter((interaction) => !done.has(interaction));
  return new Map([...done, ...(await inCore(pact, left, context))]);
}

/** A result without a request. */
const unverified = (interaction: Interaction, reason: string): InteractionResult => ({
  interaction,
  ending: 'unverified',
  reason: interaction.problem ?? reason,
  isPrevented: interaction.problem !== undefined || undefined,
  warnings: [],
  mismatches: [],
});

/** A pact whose verification did not begin. */
export const unverifiedPact = (source: Source, reason: string): PactResult => ({
  source,
  interactions: source.pact.interactions.map((interaction) => unverified(interaction, reason)),
});

/** Why the core could not load the pact. The name of the copy's file is removed, because users do not know it. */
function whyUnread(results: unknown): string | undefined {
  const [error] = [field(results, 'errors')].flat();
  if (field(error, 'interaction') !== 'Failed to load pact') return undefined;
  return textIn(error, 'mismatch', 'message')?.replace(/^Failed to load pact '.*?' - /, '');
}

function resultsByMark(results: unknown, output: string): Map<string, unknown[]> {
  const list = field(results, 'interactionResults');
  if (!Array.isArray(list)) throw new Error(`Pact's core gave no results: ${output}`);
  return Map.groupBy(list, (result: unknown) =>
    String([field(result, 'providerStates')].flat()[0]),
  );
}

type Clean = Provider['clean'];

/**
 * The result of an interaction that was sent. A success needs two witnesses: the core reports OK exactly once, and the
 * relay has seen exactly one setup of its states and exactly one request.
 * @throws when the core and the relay do not agree: a defect of this suite, never a verdict
 */
function judgeVisit(visit: Visit, results: readonly unknown[], clean: Clean): InteractionResult {
  const { interaction, request, remarks, needs, ended, isPrevented, body, likely } = visit;
  const { setUps, requests } = visit;
  const open = {
    ...unverified(interaction, ''),
    asked: request && clean.own(request),
    remarks: remarks.map((text) => clean.own(withoutCredentials(text))),
  };
  const failed = {
    ...open,
    ending: 'failed',
    reason: undefined,
    body: body && clean.foreign(withoutCredentials(body)),
    likely: likely && clean.own(likely),
  } as const;
  if (ended !== undefined) {
    const reason = clean.own(withoutCredentials(ended.message));
    return ended.ending === 'failed' ? { ...failed, reason } : { ...open, isPrevented, reason };
  }
  const [result] = results;
  if (requests === 0 && field(result, 'result') !== 'OK') {
    // The core ends the pact at a value that it cannot convert for a header, a query or a path.
    const why = at(result, 'mismatch', 'message') ?? 'a value has another type than a generator';
    return { ...open, reason: `Pact sent no request: ${clean.foreign(String(why))}` };
  }
  if (results.length !== 1)
    throw new Error(`Pact's core gave ${results.length} results for one interaction`);
  if (setUps !== 1 || requests !== 1)
    throw new Error(`one interaction was set up ${setUps} times and asked ${requests} times`);
  const mismatches = listMismatches(result, clean);
  if (mismatches.length > 0) return { ...failed, mismatches };
  if (acceptsAnyStatus(interaction)) return { ...open, reason: anyStatus };
  return { ...open, needs, ending: 'verified', reason: undefined };
}

const anyStatus = 'any status of the answer is right: name one, or use the matcher statusCode';

/** The differences; empty means OK. @throws when the verdict and the differences do not agree */
function listMismatches(result: unknown, clean: Clean): Mismatch[] {
  const list = at(result, 'mismatch', 'mismatches');
  const found = Array.isArray(list) ? list.filter(isObject) : [];
  if (field(result, 'result') !== (found.length === 0 ? 'OK' : 'Error'))
    throw new Error(`Pact's core gave no verdict: ${JSON.stringify(result)}`);
  // A different status is first, because it explains a different body.
  const isStatus = ({ type }: Record<string, unknown>): number => Number(type === 'StatusMismatch');
  return found
    .toSorted((a, b) => isStatus(b) - isStatus(a))
    .slice(0, 50)
    .map((found) => mismatch(found, clean));
}

function mismatch(found: Record<string, unknown>, clean: Clean): Mismatch {
  const { type, path = '$', key, expected, actual, mismatch: sentence } = found;
  const foreign = (value: unknown): string => clean.foreign(withoutCredentials(shown(value)));
  const difference = { expected: clean.foreign(shown(expected)), received: foreign(actual) };
  if (type === 'StatusMismatch')
    return { ...difference, what: `the status: ${foreign(sentence)}`, attribute: 'status' };
  const attribute = type === 'HeaderMismatch' ? 'header' : 'body';
  const identifier = clean.own(String(attribute === 'header' ? key : path));
  const place =
    attribute === 'header' ? ` ${identifier}` : ` at ${identifier}`.replace(/ at \$$/, '');
  const what = `the ${attribute}${place}: ${foreign(sentence)}`;
  return { ...difference, what, attribute, identifier };
}

/** A response may hold a credential that this suite does not know, such as a session. Results go to the broker. */
const withoutCredentials = (text: string): string => mask(text.slice(0, 4096));

/** Pact's core gives an empty text for a header that is missing. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)) || 'nothing';
