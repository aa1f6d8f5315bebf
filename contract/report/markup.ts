import { html, raw } from 'hono/html';
import type { Cause, ClauseVerdict } from '../round/verdict.ts';

export { html, raw };

/** A piece of a page, in which every text is escaped. */
export type Markup = ReturnType<typeof html>;

/** The meaning of a sign: a verdict, or that the check was prevented. */
export type Kind = ClauseVerdict['verdict'] | Extract<Cause, 'prevented'>;

/** The kind of a clause or a cell. */
export const kindOf = ({ verdict, cause }: Pick<ClauseVerdict, 'verdict' | 'cause'>): Kind =>
  cause === 'prevented' ? cause : verdict;

export const words = {
  holds: 'holds',
  violated: 'violated',
  unverified: 'not verified',
  prevented: 'prevented',
} as const satisfies Record<Kind, string>;

/** The sign of a kind, with a text for screen readers. */
export const sign = (kind: Kind): Markup =>
  html`<svg class="mark ${kind}" role="img" aria-label="${words[kind]}"><use href="#${kind}"/></svg>`;

/** The same sign beside text with the same meaning. */
export const ornament = (kind: Kind): Markup =>
  html`<svg class="mark ${kind}" aria-hidden="true"><use href="#${kind}"/></svg>`;

/** The signs, drawn once; they differ in shape, not in colour alone. */
export const signs: Markup = html`<svg class="symbols" aria-hidden="true">
<symbol id="holds" viewBox="0 0 16 16"><path d="m3 8.5 3.4 3.4L13 4.8"/></symbol>
<symbol id="violated" viewBox="0 0 16 16"><path d="m4 4 8 8M12 4l-8 8"/></symbol>
<symbol id="unverified" viewBox="0 0 16 16"><path d="M4 8h8"/></symbol>
<symbol id="prevented" viewBox="0 0 16 16"><path d="M8 3.5v5.4M8 12.3v.1"/></symbol>
</svg>`;
