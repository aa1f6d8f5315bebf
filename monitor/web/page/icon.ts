import { drawn, html, type Markup, type Sign, type Signed, signOf } from './markup.ts';

const colours: Readonly<Record<Sign, string>> = {
  holds: '#22875a',
  broken: '#c4312a',
  unreachable: '#a86400',
  partly: '#a86400',
  unverified: '#6f6a61',
  waiting: '#6f6a61',
  maintenance: '#6f6a61',
};

/**
 * The icon of the browser tab. Colour and shape show the sign, so that it stands out among many tabs.
 * @param sign of the page, which may be about one target or about all
 */
export function icon(
  status: { readonly targets: readonly Signed[] },
  sign: Sign = overall(status),
): Markup {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="${colours[sign]}"/><path d="${drawn[sign]}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}

/** By importance; targets in maintenance do not count. */
export const signs = [
  'broken',
  'unreachable',
  'partly',
  'unverified',
  'waiting',
  'holds',
  'maintenance',
] as const satisfies Sign[];

/** The sign of all targets together. Targets in maintenance count only when all are in maintenance. */
export function overall({ targets }: { readonly targets: readonly Signed[] }): Sign {
  const seen = new Set(targets.map(signOf));
  return signs.find((sign) => seen.has(sign)) ?? 'waiting';
}
