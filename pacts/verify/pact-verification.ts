import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { at, field, isObject, parsedJson } from '../../contract/json-value.ts';
import { masked } from '../../contract/secrets/masked.ts';
import { copyOf } from './copy.ts';
import type { Core } from './core.ts';
import type { Provider } from './provider.ts';
import type { Relay } from './relay.ts';
import { obstacleTo } from './state-setup.ts';
import type { Cleaning, InteractionResult, Mismatch, PactResult, Source } from './verification.ts';
import type { Visit } from './visit.ts';

interface VerificationContext {
  readonly provider: Provider;
  readonly relay: Relay;
  readonly core: Core;
  readonly folder: string;
  /** The longest time for one interaction (milliseconds). */
  readonly boundMs: number;
  readonly clean: Cleaning;
}

/** The time to load the core, which is long on a slow machine. */
const startMs = 30_000;

/**
 * Verifies the interactions of a pact that can be verified. The others are not sent, and get the reason as result.
 * @throws errors of the core and of the relay: defects of this suite
 */
export async function verifySource(
  source: Source,
  { provider, relay, core, folder, boundMs, clean }: VerificationContext,
): Promise<PactResult> {
  const { pact, unreadable } = source;
  if (unreadable !== undefined) return refusal(source, unreadable);
  const planned = pact.interactions.map((interaction) => {
    const obstacle = obstacleTo(interaction, provider);
    return { interaction, obstacle, admitted: obstacle === undefined && relay.admit(interaction) };
  });
  const marks = new Map(
    planned.flatMap(({ interaction, admitted }) => (admitted ? [[interaction, admitted[0]]] : [])),
  );
  let output = '{"interactionResults":[]}';
  if (marks.size > 0) {
    const copy = path.join(folder, 'pact.json');
    await writeFile(copy, copyOf(pact, marks));
    const options = {
      provider: pact.provider,
      pactUrls: [copy],
      providerBaseUrl: relay.origin,
      providerStatesSetupUrl: relay.states,
      providerStatesSetupBody: true,
      providerStatesSetupTeardown: true,
      followRedirects: false,
      timeout: boundMs,
      logLevel: 'error',
    };
    output = await core.verify(options, startMs + boundMs * marks.size);
    if (relay.defect !== undefined) throw relay.defect;
  }
  const results = parsedJson(output);
  const why = whyUnread(results);
  if (why !== undefined) return refusal(source, clean.own(`Pact cannot read it: ${why}`));
  const byMark = resultsByMark(results, output);
  return {
    source,
    interactions: planned.map(({ interaction, obstacle = '', admitted }) =>
      admitted
        ? judged(admitted[1], byMark.get(admitted[0]) ?? [], clean)
        : { interaction, ending: 'unverified', reason: obstacle, mismatches: [] },
    ),
  };
}

/** The result of a pact that cannot be read. Other pacts are still verified. */
const refusal = (source: Source, reason: string): PactResult => ({
  ...unverifiedPact(source, reason),
  refused: [`${source.from}: ${reason}`],
});

/** A pact whose verification did not begin. */
export const unverifiedPact = (source: Source, reason: string): PactResult => ({
  source,
  interactions: source.pact.interactions.map((interaction) => ({
    interaction,
    ending: 'unverified',
    reason,
    mismatches: [],
  })),
});

/** Why the core could not load the pact. The name of the copy's file is removed, because users do not know it. */
function whyUnread(results: unknown): string | undefined {
  const [error] = [field(results, 'errors')].flat();
  const message = at(error, 'mismatch', 'message');
  return field(error, 'interaction') === 'Failed to load pact' && typeof message === 'string'
    ? message.replace(/^Failed to load pact '.*?' - /, '')
    : undefined;
}

function resultsByMark(results: unknown, output: string): Map<string, unknown[]> {
  const list = field(results, 'interactionResults');
  if (!Array.isArray(list)) throw new Error(`Pact's core gave no results: ${output}`);
  return Map.groupBy(list, (result: unknown) =>
    String([field(result, 'providerStates')].flat()[0]),
  );
}

/**
 * The result of an interaction that was sent. A success needs two witnesses: the core reports OK exactly once, and the
 * relay has seen exactly one setup of its states and exactly one request.
 * @throws when the core and the relay do not agree: a defect of this suite, never a verdict
 */
function judged(visit: Visit, results: readonly unknown[], clean: Cleaning): InteractionResult {
  const { interaction, request, remarks, needs, ended, setUps, requests, teardownFailure } = visit;
  const sent = {
    interaction,
    asked: request && clean.own(request),
    remarks: remarks.map((text) => clean.own(withoutCredentials(text))),
    mismatches: [],
  };
  if (ended !== undefined)
    return { ...sent, ending: ended.ending, reason: clean.foreign(ended.message) };
  const [result] = results;
  if (requests === 0 && field(result, 'result') !== 'OK') {
    // The core ends the pact at a value that it cannot convert for a header, a query or a path.
    const why = at(result, 'mismatch', 'message') ?? 'a value has another type than a generator';
    return { ...sent, ending: 'unverified', reason: clean.foreign(`Pact sent no request: ${why}`) };
  }
  if (results.length !== 1)
    throw new Error(`Pact's core gave ${results.length} results for one interaction`);
  if (setUps !== 1 || requests !== 1)
    throw new Error(`one interaction was set up ${setUps} times and asked ${requests} times`);
  const mismatches = mismatchesOf(result, clean.foreign);
  if (mismatches.length > 0) return { ...sent, ending: 'failed', mismatches };
  if (teardownFailure !== undefined)
    return { ...sent, ending: 'unverified', reason: clean.foreign(teardownFailure) };
  return { ...sent, needs, ending: 'verified' };
}

/** The most differences that a result holds. */
export const mismatchesAtMost = 50;

/** The differences; empty means OK. @throws when the verdict and the differences do not agree */
function mismatchesOf(result: unknown, clean: (text: string) => string): Mismatch[] {
  const list = at(result, 'mismatch', 'mismatches');
  const found = Array.isArray(list) ? list.filter(isObject) : [];
  if (field(result, 'result') !== (found.length === 0 ? 'OK' : 'Error'))
    throw new Error(`Pact's core gave no verdict: ${JSON.stringify(result)}`);
  // A different status is first, because it explains a different body.
  const isStatus = ({ type }: Record<string, unknown>): number => Number(type === 'StatusMismatch');
  return found
    .toSorted((one, other) => isStatus(other) - isStatus(one))
    .slice(0, mismatchesAtMost)
    .map((one) => mismatch(one, clean));
}

function mismatch(found: Record<string, unknown>, clean: (text: string) => string): Mismatch {
  const { type, path, key, expected, actual, mismatch: sentence } = found;
  const where =
    type === 'StatusMismatch'
      ? 'the status'
      : type === 'HeaderMismatch'
        ? `the header ${key}`
        : `the body${path === undefined || path === '$' ? '' : ` at ${path}`}`;
  return {
    expected: clean(shown(expected)),
    received: clean(withoutCredentials(shown(actual))),
    what: clean(withoutCredentials(`${where}: ${shown(sentence)}`)),
  };
}

/** A response may hold a credential that this suite does not know, such as a session. Results go to the broker. */
const withoutCredentials = (text: string): string => masked(text.slice(0, 4096));

/** Pact's core gives an empty text for a header that is missing. */
const shown = (value: unknown): string =>
  (typeof value === 'string' ? value : JSON.stringify(value)) || 'nothing';
