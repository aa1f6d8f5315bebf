import { digitValue, hexDigits } from './encoded-bytes.ts';
import { codesOf, type View, ViewBuilder } from './view-builder.ts';

/** The code point of an escape, and its length. */
type Escape = readonly [code: number, length: number];

/** Reads the escape whose first character is at a position; undefined if there is none. */
type ReadEscape = (codes: Uint16Array, at: number) => Escape | undefined;

const codeOf = (sign: string): number => sign.charCodeAt(0);

const percent: ReadEscape = (codes, at) => numbered(codes, at + 1, at + 3, 3);

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

/** By name or by number. */
const entity: ReadEscape = (codes, at) => {
  const text = String.fromCharCode(...codes.subarray(at, at + '&#123456;'.length));
  const [whole, name, decimal, hexadecimal] =
    /^&(?:(amp|lt|gt|quot|apos)|#(\d{1,6})|#x([0-9a-f]{1,5}));/i.exec(text) ?? [];
  if (whole === undefined) return undefined;
  if (name !== undefined) return [codeOf(entities.get(name.toLowerCase()) ?? ''), whole.length];
  const number = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
  return [number, whole.length];
};

const controls = new Map(
  [...'bfnrt'].map((sign, index) => [codeOf(sign), '\b\f\n\r\t'.charCodeAt(index)]),
);
const afterBackslash: ReadonlySet<number> = new Set([...`"'\\/bfnrtBFNRT`].map(codeOf));

const backslash: ReadEscape = (codes, at) => {
  const next = codes[at + 1] ?? 0;
  if (next === codeOf('u') || next === codeOf('U')) return numbered(codes, at + 2, at + 6, 6);
  if (next === codeOf('x') || next === codeOf('X')) return numbered(codes, at + 2, at + 4, 4);
  return afterBackslash.has(next) ? [controls.get(next) ?? next, 2] : undefined;
};

/** Hexadecimal digits. */
function numbered(
  codes: Uint16Array,
  from: number,
  to: number,
  length: number,
): Escape | undefined {
  let code = 0;
  for (let at = from; at < to; at++) {
    const value = digitValue(hexDigits, codes[at]);
    if (value < 0) return undefined;
    code = 16 * code + value;
  }
  return [code, length];
}

/** The escapes that may be mixed in one text, by their first characters. The text must contain the last of these. */
type Escapes = ReadonlyMap<number, ReadEscape>;

/** Of URLs, of form fields, of JSON and other languages, and of HTML. */
export const escapes: readonly Escapes[] = [
  new Map([[codeOf('%'), percent]]),
  new Map([
    [codeOf('%'), percent],
    [codeOf('+'), () => [codeOf(' '), 1]],
  ]),
  new Map([[codeOf('\\'), backslash]]),
  new Map([[codeOf('&'), entity]]),
];

/** A text without escapes of one kind; undefined if it has none. */
export function unescaped({ codes, from, to }: View, kind: Escapes): View | undefined {
  const [sign = 0] = [...kind.keys()].slice(-1);
  if (!codes.includes(sign)) return undefined;
  const plain = new ViewBuilder(codes.length);
  let some = false;
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? 0;
    const start = from[at] ?? 0;
    const found = code < 0x80 ? kind.get(code)?.(codes, at) : undefined;
    if (found !== undefined) at += found[1] - 1;
    some ||= found !== undefined;
    const end = to[at] ?? 0;
    if (found === undefined || found[0] <= 0xffff) plain.add(found?.[0] ?? code, start, end);
    else for (const unit of codesOf(String.fromCodePoint(found[0]))) plain.add(unit, start, end);
  }
  return some ? plain.view() : undefined;
}
