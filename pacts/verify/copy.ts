import { isObject } from '../../contract/json-value.ts';
import type { Interaction, Pact } from '../pact.ts';

/** The header that identifies the interaction of a request. The relay removes it. */
export const markHeader = 'x-pact-interaction';

/**
 * Request headers that are not forwarded: hop-by-hop headers (RFC 9110 7.6.1), headers that the client writes itself,
 * and headers for the relay. The client requests only codings that it knows. A pact's length is that of its example.
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
 * A copy of a pact for Pact's core: the interactions to verify, with only their requests and expectations. Each has
 * one state, its mark, in place of its own states. So the core requests one setup for each interaction, and its
 * results name the interaction in every version of the specification. No other part of the pact can influence it.
 * @param marks the marks of the interactions to verify
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
  const spelled = generatedHeaders(original);
  const headers = Object.entries(isObject(original.headers) ? original.headers : {})
    .filter(([name]) => !notSent.has(name.toLowerCase()))
    .map(([name, value]) => [spelled.get(name.toLowerCase()) ?? name, value]);
  const marks = specification < 4 ? mark : [mark];
  return {
    ...(specification < 4 ? {} : { type: 'Synchronous/HTTP' }),
    description,
    providerStates: [{ name: mark }],
    request: { ...original, headers: { ...Object.fromEntries(headers), [markHeader]: marks } },
    response,
  };
}

/**
 * The headers that have a generator, as the generators spell them, by their names in lower case. The core compares the
 * case: under another spelling it would send the header twice, once with the example.
 */
const generatedHeaders = ({ generators }: Record<string, unknown>): ReadonlyMap<string, string> => {
  const ofHeaders = isObject(generators) && isObject(generators.header) ? generators.header : {};
  return new Map(Object.keys(ofHeaders).map((name) => [name.toLowerCase(), name]));
};
