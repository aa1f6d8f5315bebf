import { html, raw } from 'hono/html';
import type { ClauseVerdict } from '../../contract/verdict.ts';

export { html, raw };

/** A piece of a page, in which every text is escaped. */
export type Markup = ReturnType<typeof html>;

export const words = {
  holds: 'holds',
  violated: 'violated',
  unverified: 'not verified',
} as const satisfies Record<ClauseVerdict['verdict'], string>;

/** The sign of a verdict, in words for whoever does not see it. */
export const sign = (verdict: ClauseVerdict['verdict']): Markup =>
  html`<svg class="sign ${verdict}" role="img" aria-label="${words[verdict]}"><use href="#${verdict}"/></svg>`;

/** The same sign beside text that says it already. */
export const ornament = (verdict: ClauseVerdict['verdict']): Markup =>
  html`<svg class="sign ${verdict}" aria-hidden="true"><use href="#${verdict}"/></svg>`;

/** The signs, drawn once; they differ in form, not in colour alone. */
export const signs: Markup = html`<svg class="symbols" aria-hidden="true">
<symbol id="holds" viewBox="0 0 16 16"><path d="m3 8.5 3.4 3.4L13 4.8"/></symbol>
<symbol id="violated" viewBox="0 0 16 16"><path d="m4 4 8 8M12 4l-8 8"/></symbol>
<symbol id="unverified" viewBox="0 0 16 16"><path d="M4 8h8"/></symbol>
<symbol id="alert" viewBox="0 0 16 16"><path d="M8 3.5v5.4M8 12.3v.1"/></symbol>
</svg>`;
