import type { TargetStatus } from '../watch/status.ts';
import { html, type Markup, type Sign } from './page/markup.ts';

/** White text is readable on each of these colours (WCAG AA). */
const colours: Readonly<Record<Sign, string>> = {
  holds: '#1f7a51',
  broken: '#c4312a',
  unreachable: '#9a5b00',
  partly: '#9a5b00',
  unverified: '#66615a',
  waiting: '#66615a',
  maintenance: '#66615a',
};

const longestName = 64;
const padding = 6;

/** The state of a target as a small picture, for a README or a dashboard: its name, and one word. */
export function badge({
  name,
  state,
  maintenance,
}: Pick<TargetStatus, 'name' | 'state' | 'maintenance'>): Markup {
  const sign = maintenance === undefined ? state : 'maintenance';
  const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  const [left, right] = [widthOf(shown), widthOf(sign)];
  const middle = left + 2 * padding;
  const width = middle + right + 2 * padding;
  const text = (words: string, x: number, length: number): Markup =>
    html`<text x="${x}" y="14" textLength="${length}">${words}</text>`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${name}: ${sign}"><title>${name}: ${sign}</title><rect width="${width}" height="20" rx="3" fill="${colours[sign]}"/><path d="M${middle} 0H3a3 3 0 0 0-3 3v14a3 3 0 0 0 3 3h${middle - 3}z" fill="#3d3a36"/><g fill="#fff" font-family="Verdana,DejaVu Sans,Geneva,sans-serif" font-size="11">${text(shown, padding, left)}${text(sign, middle + padding, right)}</g></svg>`;
}

/** Verdana's advance widths, in hundredths of the font size; other characters are as wide as a digit. */
const advances = new Map(
  Object.entries({
    27: 'ijl',
    35: ' ft()I',
    37: '.,',
    43: 'r',
    45: ':-/',
    52: 'csz',
    60: 'aegkvxyo',
  })
    .concat(Object.entries({ 70: 'ABCKPRSTVXYZ', 77: 'DGHNOQU', 82: 'w', 97: 'mMW', 100: '…' }))
    .flatMap(([width, characters]) => [...characters].map((one) => [one, Number(width)] as const)),
);

/** The width of a text in pixels at a font size of 11. Browsers fit the text to it, whatever their font. */
const widthOf = (text: string): number =>
  Math.ceil([...text].reduce((sum, one) => sum + (advances.get(one) ?? 64), 0) * 0.11);
