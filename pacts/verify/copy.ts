import { at } from '../../contract/json-value.ts';
import type { Interaction, Pact } from '../pact.ts';

/** The header that identifies the interaction of a request. The relay removes it. */
export const markHeader = 'x-pact-interaction';

/**
 * Request headers that are not forwarded: hop-by-hop headers (RFC 9110 7.6.1), headers that the client writes itself,
 * and headers for the relay. The client requests only codings that it knows. A pact's length is that of its example.
 */
export const notSent =
  /^(accept-encoding|connection|content-length|host|keep-alive|te|trailer|transfer-encoding|upgrade|x-pact-interaction)$/i;

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
  const request = Object(document.request);
  // The core compares the case of a header with that of its generator, and would send both spellings.
  const generated = Object.keys(Object(at(request, 'generators', 'header')));
  const headers = Object.entries(Object(request.headers))
    .filter(([name]) => !notSent.test(name))
    .map(([name, value]) => [
      generated.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name,
      value,
    ]);
  const marks = specification < 4 ? mark : [mark];
  return {
    ...(specification < 4 ? {} : { type: 'Synchronous/HTTP' }),
    description,
    providerStates: [{ name: mark }],
    request: { ...request, headers: { ...Object.fromEntries(headers), [markHeader]: marks } },
    response: document.response,
  };
}
