import { isReadable, type View, ViewBuilder } from './view-builder.ts';

/** The digits of an encoding: how many bits each has, and its value by character code, or -1 for other characters. */
interface Digits {
  readonly bits: 4 | 6;
  /**
   * The number of offsets at which a group may begin: four characters of base64 are three bytes, two of hex are
   * one.
   */
  readonly places: number;
  readonly values: Int8Array;
}

function digitsOf(bits: Digits['bits'], ...alphabets: readonly string[]): Digits {
  const values = new Int8Array(0x10000).fill(-1);
  for (const alphabet of alphabets)
    for (let value = 0; value < alphabet.length; value++)
      values[alphabet.charCodeAt(value)] = value;
  return { bits, places: bits === 6 ? 4 : 2, values };
}

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
export const base64Digits = digitsOf(6, `${letters}+/`, `${letters}-_`);
export const hexDigits = digitsOf(4, '0123456789abcdef', '0123456789ABCDEF');

export const digitValue = ({ values }: Digits, code: number | undefined): number =>
  code === undefined ? -1 : (values[code] ?? -1);

/** The runs of at least `least` digits: where each begins and ends. */
export function runs(
  { codes }: View,
  { values }: Digits,
  least: number,
): (readonly [number, number])[] {
  const found: (readonly [number, number])[] = [];
  let start = 0;
  for (let at = 0; at <= codes.length; at++) {
    if (at < codes.length && (values[codes[at] ?? 0] ?? -1) >= 0) continue;
    if (at - start >= least) found.push([start, at]);
    start = at + 1;
  }
  return found;
}

/** Separates unrelated texts: it is not a character. */
const gap = 0xffff;

/**
 * The bytes of runs of digits, one after the other, and those of them that are readable.
 * @param skip how many digits at the beginning of each are ignored
 */
export function bytesOf(
  view: View,
  found: readonly (readonly [number, number])[],
  skip: number,
  digits: Digits,
): { readonly all: View; readonly readable: View } {
  const most = found.reduce((sum, [start, end]) => sum + end - start, 0);
  const bytes = new ViewBuilder(most);
  const readable = new ViewBuilder(most);
  for (const [start, end] of found) {
    const before = bytes.length;
    decodeRun(view, start + skip, end, digits, bytes);
    const run = bytes.view(before);
    bytes.add(gap, 0, 0);
    if (isReadable(run.codes)) readable.append(bytes.view(before));
  }
  return { all: bytes.view(), readable: readable.view() };
}

function decodeRun(
  { codes, from, to }: View,
  start: number,
  end: number,
  { bits: perDigit, values }: Digits,
  bytes: ViewBuilder,
): void {
  let held = 0;
  let bits = 0;
  let first = from[start] ?? 0;
  for (let at = start; at < end; at++) {
    held = ((held << perDigit) | (values[codes[at] ?? 0] ?? 0)) & 0xffff;
    bits += perDigit;
    if (bits >= 8) {
      bits -= 8;
      bytes.add((held >> bits) & 0xff, first, to[at] ?? 0);
      // If bits of this digit are left, the next byte begins with them.
      first = from[bits > 0 ? at : at + 1] ?? 0;
    }
  }
}
