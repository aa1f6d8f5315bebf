import type { FleetStatus } from '../fleet/fleet-status.ts';
import type { TargetStatus } from '../watch/status.ts';
import { targetsElsewhere } from './page/fleet.ts';
import { html, type Markup, type Sign, type Signed, signOf } from './page/markup.ts';

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

type BadgeStatus = Signed & Pick<TargetStatus, 'name'>;

interface BadgeSource {
  status(): { readonly targets: readonly BadgeStatus[] };
  brief?(): { readonly targets: readonly BadgeStatus[] };
  fleet?(): Promise<FleetStatus>;
}

/**
 * The badge of any target of the fleet, because a viewer may not reach the other members.
 * @param file `NAME.svg` or `NAME.json`
 * @returns undefined when no target has that name
 */
export async function badgeFile(
  file: string,
  { status, brief = status, fleet }: BadgeSource,
): Promise<{ readonly type: string; readonly text: string } | undefined> {
  const name = file.replace(/\.\w+$/, '');
  const { targets } = brief();
  const isIt = (one: BadgeStatus): boolean => one.name === name;
  const own = targets.find(isIt);
  const target = own ?? targetsElsewhere({ fleet: await fleet?.(), targets }).find(isIt);
  if (target === undefined) return undefined;
  return file.endsWith('.json')
    ? { type: 'application/json', text: JSON.stringify(badgeData(target)) }
    : { type: 'image/svg+xml', text: String(await badge(target)) };
}

/** The badge as data for https://shields.io/badges/endpoint-badge. */
function badgeData(target: BadgeStatus) {
  const sign = signOf(target);
  return {
    schemaVersion: 1,
    label: target.name,
    message: sign,
    color: colours[sign],
    isError: sign === 'broken' || sign === 'unreachable',
  };
}

/** The state of a target as a small image for a README or a dashboard: its name, and one word. */
export function badge(target: BadgeStatus): Markup {
  const { name } = target;
  const sign = signOf(target);
  const shown = name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  const left = widthOf(shown);
  const right = widthOf(sign);
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

/** The width of a text in pixels at a font size of 11. Browsers fit the text to it in any font. */
const widthOf = (text: string): number =>
  Math.ceil([...text].reduce((sum, one) => sum + (advances.get(one) ?? 64), 0) * 0.11);
