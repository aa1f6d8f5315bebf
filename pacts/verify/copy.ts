import { isObject } from '../../contract/http/answer.ts';
import type { Interaction, Pact } from '../pact.ts';

/** The header that says which interaction a request belongs to. The relay removes it. */
export const markHeader = 'x-pact-interaction';

/**
 * Headers of one connection only (RFC 9110 7.6.1), headers that are written anew, or headers for the relay alone;
 * only known codings are requested. A length in a pact would be that of its example.
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
 * A pact in the form for Pact's core: the verified interactions, with only their requests and expectations.
 * Instead of its states each has one, its mark. So the core requests the setup of each interaction once, its
 * results name the interaction in every version of the specification, and no other part of a document can
 * influence it.
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
