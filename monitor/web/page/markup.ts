import { html } from 'hono/html';
import { count } from './wording.ts';

export { html };

/** A piece of a page, in which every text is escaped. */
export type Markup = ReturnType<typeof html>;
export type Content = Markup | string;

/** A word in a frame. Its kind is an outcome, a verdict, or `maintenance`. */
export const tag = (kind: string, word = kind): Markup => html`<b class="tag ${kind}">${word}</b>`;

/** A part of the page under a heading. */
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
