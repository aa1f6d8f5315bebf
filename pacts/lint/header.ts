import type { Interaction } from '../pact.ts';
import { placesOf } from './place.ts';

/**
 * Headers of an answer that do not reach Pact's core: those of one connection (RFC 9110 7.6.1), and those that
 * are wrong after a body was decoded.
 */
export const keptBack =
  /^(connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|content-(encoding|length|md5)|.*digest)$/i;

/** Expectations that no provider can meet. */
export const headersKeptBack = (interaction: Interaction): string[] => {
  const names = placesOf(interaction)
    .filter(({ side, category }) => side === 'response' && category === 'header')
    .map(({ steps }) => steps[0] ?? '');
  return [...new Set(names)]
    .filter((name) => keptBack.test(name))
    .map((name) => `response.headers.${name} is about the transfer, not the answer: leave it out`);
};
