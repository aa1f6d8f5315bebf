import { html } from 'hono/html';
import { count } from '../../../contract/words.ts';
import type { TargetView } from '../../status/view.ts';

export { html };

/** A piece of a page, in which every text is escaped. */
export type Markup = ReturnType<typeof html>;
export type Content = Markup | string;

/** A word in a frame. Its kind is an outcome, a verdict, or `maintenance`. */
export const tag = (kind: string, word = kind): Markup => html`<b class="tag ${kind}">${word}</b>`;

export const section = (id: string, title: string, content: Content): Markup =>
  html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>
${content}</section>`;

type Rows = readonly (readonly Content[])[];

/** A table whose first column names the row. On a phone each cell has its heading beside it. */
export const table = (kind: string, headings: readonly string[], rows: Rows): Markup =>
  html`<table class="${kind}"><thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map(
    ([name = '', ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map(
      (cell, index) => html`<td data-heading="${headings[index + 1]}">${cell}</td>`,
    )}</tr>
`,
  )}</tbody></table>`;

/** A table that the reader can unfold; '' without rows. @param noun of a row */
export const foldedTable = (kind: string, noun: string, headings: readonly string[], rows: Rows) =>
  rows.length === 0
    ? ''
    : html`<details><summary>${count(rows.length, noun)}</summary>
${table(kind, headings, rows)}</details>`;

/** What a target is in the first place, by importance. Shapes differ too, not only colours. */
export const signs = {
  violated: ['violated', 'red', 'M4 4l8 8M12 4l-8 8'],
  unreachable: ['unreachable', 'orange', 'M8 3v6.5M8 12.2v.6'],
  partly: ['judged in part', 'orange', 'M3 8.5l2.4 2.4L9.5 5M12 4v4.5M12 11.4v.6'],
  unverified: ['unverified', 'lightgrey', 'M4 8h8'],
  waiting: ['in the first round', 'lightgrey', 'M4 8h.5M7.75 8h.5M11.5 8h.5'],
  holds: ['hold', 'brightgreen', 'M3 8.5l3.2 3.2L13 5'],
  maintenance: ['in maintenance', 'lightgrey', 'M6 4v8M10 4v8'],
} as const satisfies Record<string, readonly [words: string, colour: string, shape: string]>;
export type Sign = keyof typeof signs;

/** Findings in maintenance are not news. */
export const findSign = ({ status, maintenance }: TargetView): Sign =>
  maintenance === undefined ? status.state : 'maintenance';

/** A sign beside text that has the same meaning. */
export const mark = (sign: Sign): Markup =>
  html`<svg class="mark ${sign}" aria-hidden="true" viewBox="0 0 16 16"><path d="${signs[sign][2]}"/></svg>`;

/** The state of a target in one word, as https://shields.io/badges/endpoint-badge reads it. */
export function badge(target: TargetView) {
  const message = findSign(target);
  const label = target.status.target;
  const color = signs[message][1];
  const isError = message === 'violated' || message === 'unreachable';
  return { schemaVersion: 1, label, message, color, isError };
}

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><circle cx="8" cy="8" r="8" fill="#6f6a61"/><path d="M3 8h2.5l1.5-3.5 2 7L10.5 8H13" fill="none" stroke="#fff" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round"/></svg>';
