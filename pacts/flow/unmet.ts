import { at, textIn } from '../../contract/json-value.ts';
import type { Broker } from './broker.ts';
import { linkOf, listAt, oneLine } from './document.ts';

interface Result {
  readonly tests: readonly unknown[];
  readonly interactions: readonly unknown[];
}

/** Verifiers send the test results as a list. Older ones send an object that holds the list. */
async function resultAt(broker: Broker, place: string): Promise<Result> {
  const result = await broker.get(place, 'result');
  const link = linkOf(result, 'pb:pact-version');
  const pact = link === undefined ? undefined : await broker.get(link, 'pact of that result');
  const tests = listAt(result, 'testResults');
  return {
    tests: tests.length > 0 ? tests : listAt(result, 'testResults', 'tests'),
    interactions: listAt(pact, 'interactions'),
  };
}

/**
 * The failed interactions of a result: for each its description, its states, and the differences.
 * @param place the address of the result
 * @returns lines, the details indented
 */
export async function unmetIn(broker: Broker, place: string): Promise<readonly string[]> {
  const { tests, interactions } = await resultAt(broker, place);
  const failed = tests.filter((test) => at(test, 'success') === false);
  if (failed.length === 0) return ['its result does not say which interaction'];
  return failed.flatMap((test) => [
    nameOf(interactions.find((one) => isOf(test, one)) ?? test),
    ...detailsOf(test),
  ]);
}

/**
 * The interactions that a successful result leaves out, although it names others. A verifier with a filter in its
 * environment sends such a result. A result that names no interaction is trusted.
 */
export async function leftOutOf(broker: Broker, place: string): Promise<readonly string[]> {
  const { tests, interactions } = await resultAt(broker, place);
  const named = interactions.filter((one) => tests.some((test) => isOf(test, one)));
  return named.length === 0 ? [] : interactions.filter((one) => !named.includes(one)).map(nameOf);
}

const isOf = (test: unknown, interaction: unknown): boolean =>
  textIn(test, 'interactionId') !== undefined &&
  textIn(test, 'interactionId') === textIn(interaction, '_id');

/** @param interaction an interaction of a pact, or a test that names its interaction */
function nameOf(interaction: unknown): string {
  const description =
    textIn(interaction, 'description') ?? textIn(interaction, 'interactionDescription') ?? '?';
  const states = listAt(interaction, 'providerStates').map(stateOf);
  const state = textIn(interaction, 'providerState');
  const given = [...states, ...(state === undefined ? [] : [state])].join(', ');
  return oneLine(`"${description}"${given === '' ? '' : `, given ${given}`}`);
}

/** Fills the parameters into a state's name, such as `a token made {hours} hours ago`. */
const stateOf = (state: unknown): string =>
  (textIn(state, 'name') ?? '').replace(/\{(\w+)\}/g, (whole, name: string) =>
    String(at(state, 'params', name) ?? whole),
  );

/** Verifiers of other languages send only `description`. */
const detailsOf = (test: unknown): string[] =>
  [
    ...listAt(test, 'mismatches').map((one) => textIn(one, 'description')),
    ...listAt(test, 'exceptions').map((one) => textIn(one, 'message')),
  ]
    .filter((text) => text !== undefined)
    .map((text) => `  ${oneLine(text)}`);
