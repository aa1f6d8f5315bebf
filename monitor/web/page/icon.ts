import type { TargetStatus } from '../../watch/status.ts';
import { drawn, html, type Markup, type Sign, signOf } from './markup.ts';

const colours: Readonly<Record<Sign, string>> = {
  holds: '#22875a',
  broken: '#c4312a',
  unreachable: '#a86400',
  partly: '#a86400',
  unverified: '#6f6a61',
  waiting: '#6f6a61',
  maintenance: '#6f6a61',
};

/** Targets, as far as their signs go. */
interface Signed {
  readonly targets: readonly Pick<TargetStatus, 'state' | 'maintenance'>[];
}

/** The icon of the tab, by colour and form, so that a tab among many tells. */
export function icon(status: Signed): Markup {
  const sign = overall(status);
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="${colours[sign]}"/><path d="${drawn[sign]}" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;
}

/** In the order in which they are of interest; a target in maintenance is of none. */
export const signs = [
  'broken',
  'unreachable',
  'partly',
  'unverified',
  'waiting',
  'holds',
  'maintenance',
] as const satisfies Sign[];

/** What is to be said of all targets at once; those in maintenance count only when all are. */
export function overall({ targets }: Signed): Sign {
  const seen = new Set(targets.map(signOf));
  return signs.find((sign) => seen.has(sign)) ?? 'waiting';
}
