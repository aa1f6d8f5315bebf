import type { Broker } from './broker.ts';
import { at, linkOf, listAt, textAt } from './document.ts';
import { oneLine } from './one-line.ts';

/**
 * Which interactions a result finds unmet, in words: the interaction, its states, and what was otherwise.
 * @param place where the result is
 * @returns lines, the details indented
 */
export async function unmetIn(broker: Broker, place: string): Promise<readonly string[]> {
  const result = await broker.get(place, 'result');
  const link = linkOf(result, 'pb:pact-version');
  const pact = link === undefined ? undefined : await broker.get(link, 'pact of that result');
  const tests = listAt(result, 'testResults');
  const failed = (tests.length > 0 ? tests : listAt(result, 'testResults', 'tests')).filter(
    (one) => at(one, 'success') === false,
  );
  if (failed.length === 0) return ['its result does not say which interaction'];
  return failed.flatMap((one) => [nameOf(one, pact), ...detailsOf(one)]);
}

function nameOf(test: unknown, pact: unknown): string {
  const id = textAt(test, 'interactionId');
  const interaction = listAt(pact, 'interactions').find(
    (one) => id !== undefined && textAt(one, '_id') === id,
  );
  const description =
    textAt(interaction, 'description') ??
    textAt(test, 'interactionDescription') ??
    'an interaction that the pact does not have';
  const states = listAt(interaction, 'providerStates').map(stateOf);
  const state = textAt(interaction, 'providerState');
  const given = [...states, ...(state === undefined ? [] : [state])].join(', ');
  return oneLine(`"${description}"${given === '' ? '' : `, given ${given}`}`);
}

/** `a token made {hours} hours ago` holds its parameters' names. */
const stateOf = (state: unknown): string =>
  (textAt(state, 'name') ?? '').replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(at(state, 'params', name) ?? whole),
  );

/** Verifiers of other languages say `description` only. */
const detailsOf = (test: unknown): string[] =>
  [
    ...listAt(test, 'mismatches').map((one) => textAt(one, 'description')),
    ...listAt(test, 'exceptions').map((one) => textAt(one, 'message')),
  ]
    .filter((text) => text !== undefined)
    .map((text) => `  ${oneLine(text)}`);
