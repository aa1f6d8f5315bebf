import type { Interaction } from '../pact.ts';
import { placesOf } from './place.ts';

/**
 * What of an answer does not come as far as Pact's core: headers of one connection only (RFC 9110 7.6.1), and those
 * that are not true any more of a body that was decoded.
 */
export const keptBack =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(encoding|length|md5)|.*digest)$/i;

/** What no pact can be verified by would fail at every provider. */
export const headersKeptBack = (interaction: Interaction): string[] => {
  const names = placesOf(interaction)
    .filter(({ side, category }) => side === 'response' && category === 'header')
    .map(({ steps }) => steps[0] ?? '');
  return [...new Set(names)]
    .filter((name) => keptBack.test(name))
    .map((name) => `response.headers.${name} is about the transfer, not the answer: leave it out`);
};
