import { isObject } from '../../contract/http/answer.ts';
import type { Interaction, Pact } from '../pact.ts';

/** The header by which a request says which interaction it belongs to. It goes no further than the relay. */
export const markHeader = 'x-pact-interaction';

/**
 * Of one connection only (RFC 9110 7.6.1), written anew, or for the relay alone; only known codings are asked for. A
 * length that a pact names would be that of its example.
 */
export const notSent: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  markHeader,
]);

/**
 * A pact as Pact's core is given it: the interactions that are verified, and of them only what they ask and expect.
 * In place of its states each has one, its mark; so the core asks once for each interaction to be set up, its results
 * name it in every version of the specification, and nothing else in a document can steer it.
 * @param marks of the interactions that are verified
 */
export function copyOf(pact: Pact, marks: ReadonlyMap<Interaction, string>): string {
  const interactions = pact.interactions.flatMap((interaction) => {
    const mark = marks.get(interaction);
    return mark === undefined ? [] : [marked(interaction, mark, pact.specification)];
  });
  return JSON.stringify({
    consumer: { name: pact.consumer },
    provider: { name: pact.provider },
    interactions,
    metadata: { pactSpecification: { version: `${pact.specification}.0.0` } },
  });
}

function marked({ description, document }: Interaction, mark: string, specification: number) {
  const { request, response } = document;
  const original = isObject(request) ? request : {};
  const headers = Object.entries(isObject(original.headers) ? original.headers : {}).filter(
    ([name]) => !notSent.has(name.toLowerCase()),
  );
  const marks = specification < 4 ? mark : [mark];
  return {
    ...(specification < 4 ? {} : { type: 'Synchronous/HTTP' }),
    description,
    providerStates: [{ name: mark }],
    request: { ...original, headers: { ...Object.fromEntries(headers), [markHeader]: marks } },
    response,
  };
}
