import type { Interaction } from '../pact.ts';
import { placesOf } from './place.ts';

/**
 * Response headers that do not reach Pact's core: hop-by-hop headers (RFC 9110 7.6.1), and headers that are wrong
 * after the body was decoded.
 */
export const aboutTransfer =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(encoding|length|md5)|.*digest)$/i;

/** Finds expectations about such headers, which no provider can meet. */
export const transferHeaders = (interaction: Interaction): string[] => {
  const names = placesOf(interaction)
    .filter(({ side, category }) => side === 'response' && category === 'header')
    .map(({ steps }) => steps[0] ?? '');
  return [...new Set(names)]
    .filter((name) => aboutTransfer.test(name))
    .map((name) => `response.headers.${name} is about the transfer, not the answer: leave it out`);
};
