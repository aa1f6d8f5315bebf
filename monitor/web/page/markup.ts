import { html } from 'hono/html';
import type { TargetState } from '../../target/contract-status.ts';
import type { TargetStatus } from '../../watch/status.ts';

export { html };

/** A piece of a page, in which every text is escaped. */
export type Markup = ReturnType<typeof html>;

/** The most important state of a target. */
export type Sign = TargetState | 'maintenance';

/** The signs differ in shape, not only in colour. */
const drawn: Readonly<Record<Sign | 'violated', string>> = {
  holds: 'M3 8.5l3.2 3.2L13 5',
  broken: 'M4 4l8 8M12 4l-8 8',
  violated: 'M4 4l8 8M12 4l-8 8',
  unreachable: 'M8 3v6.5M8 12.2v.6',
  partly: 'M3 8.5l2.4 2.4L9.5 5M12 4v4.5M12 11.4v.6',
  unverified: 'M4 8h8',
  waiting: 'M4 8h.5M7.75 8h.5M11.5 8h.5',
  maintenance: 'M6 4v8M10 4v8',
};

/** A sign beside text that has the same meaning. */
export const mark = (sign: Sign | 'violated'): Markup =>
  html`<svg class="mark ${sign}" aria-hidden="true" viewBox="0 0 16 16"><path d="${drawn[sign]}"/></svg>`;

/** The parts of a target's status that decide its sign. */
export type Signed = Pick<TargetStatus, 'state' | 'maintenance'>;

/** Findings in a maintenance window are not news. */
export const signOf = ({ state, maintenance }: Signed): Sign =>
  maintenance === undefined ? state : 'maintenance';

/** A word in a frame. Its kind is an outcome, or `maintenance`. */
export const tag = (kind: string, word: string): Markup => html`<b class="tag ${kind}">${word}</b>`;

/** A section that the reader can unfold. */
export const folding = (id: string, summary: string, content: Markup, open = false): Markup =>
  html`<details id="${id}" ${open ? 'open' : ''}><summary>${summary}</summary>
${content}</details>`;
