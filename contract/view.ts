/** A text as it reads after one decoding, and which part of the source each of its characters stands for. */
export interface View {
  readonly text: string;
  /** Where character `at` begins in the source. */
  readonly from: (at: number) => number;
  /** Where it ends there. */
  readonly to: (at: number) => number;
}

/** What is encoded may be encoded again: JSON in JSON, a URL in a query, credentials in base64 in either. */
const deepest = 3;

/**
 * The ways in which a text may be read: as it is, URL-decoded, without the escapes of JSON and HTML, and each run of
 * letters as base64 and as hex, at every place where what is encoded may begin; and what comes of that, again. What was
 * bytes reads as Latin-1.
 */
export function viewsOf(text: string): View[] {
  const itself = { text, from: (at: number) => at, to: (at: number) => at + 1 };
  return [itself, ...decoded(text, deepest)];
}

function decoded(text: string, depth: number): View[] {
  if (depth === 0) return [];
  const views = [
    ...escapes.filter(({ sign }) => text.includes(sign)).map(({ read }) => unescaped(text, read)),
    ...runs(text, /[A-Za-z0-9+/_-]{6,}/g).flatMap(base64),
    ...runs(text, /[0-9A-Fa-f]{8,}/g).flatMap(hex),
  ];
  const deeper = views
    .filter((view) => view.text !== text && isReadable(view.text))
    .flatMap((view) => decoded(view.text, depth - 1).map((inner) => through(view, inner)));
  return [...views, ...deeper];
}

/** Letters that were never encoded decode to noise, in which nothing is to be read. */
const isReadable = (text: string): boolean =>
  text.replace(/[^ -~\s]+/g, '').length > 0.7 * text.length;

/** A view of what a view reads. */
const through = (outer: View, inner: View): View => ({
  text: inner.text,
  from: (at) => outer.from(inner.from(at)),
  to: (at) => outer.to(inner.to(at) - 1),
});

interface Escape {
  /** Without this sign there is nothing to decode. */
  readonly sign: string;
  /** The escapes, and what each stands for. */
  readonly read: readonly [RegExp, (written: string) => string];
}

const percent = (written: string): string =>
  String.fromCharCode(Number.parseInt(written.slice(1), 16));

const jsonEscapes = new Map([...'bfnrt'].map((sign, index) => [sign, '\b\f\n\r\t'.charAt(index)]));

const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

const escapes: readonly Escape[] = [
  { sign: '%', read: [/%[0-9a-f]{2}/gi, percent] },
  {
    sign: '+',
    read: [/%[0-9a-f]{2}|\+/gi, (written) => (written === '+' ? ' ' : percent(written))],
  },
  {
    sign: '\\',
    read: [
      /\\(?:u[0-9a-f]{4}|["\\/bfnrt])/gi,
      (written) =>
        written.length === 6
          ? String.fromCharCode(Number.parseInt(written.slice(2), 16))
          : (jsonEscapes.get(written.charAt(1)) ?? written.charAt(1)),
    ],
  },
  {
    sign: '&',
    read: [
      /&(?:#\d{1,6}|#x[0-9a-f]{1,5}|amp|lt|gt|quot|apos);/gi,
      (written) => {
        const name = written.slice(1, -1).toLowerCase();
        if (!name.startsWith('#')) return entities.get(name) ?? '';
        const hexadecimal = name.startsWith('#x');
        return String.fromCodePoint(
          Number.parseInt(name.slice(hexadecimal ? 2 : 1), hexadecimal ? 16 : 10),
        );
      },
    ],
  },
];

function unescaped(source: string, [pattern, decode]: Escape['read']): View {
  const starts: number[] = [];
  let text = '';
  let at = 0;
  const take = (end: number): void => {
    for (; at < end; at++) {
      starts.push(at);
      text += source.charAt(at);
    }
  };
  for (const match of source.matchAll(pattern)) {
    take(match.index);
    const read = decode(match[0]);
    starts.push(...Array.from({ length: read.length }, () => at));
    text += read;
    at += match[0].length;
  }
  take(source.length);
  starts.push(source.length);
  const start = (index: number): number => starts[index] ?? source.length;
  return { text, from: start, to: (index) => start(index + 1) };
}

interface Run {
  readonly start: number;
  readonly text: string;
}

const runs = (text: string, pattern: RegExp): Run[] =>
  [...text.matchAll(pattern)].map((match) => ({ start: match.index, text: match[0] }));

/** Four characters stand for three bytes, so a run may begin at any of four places within its group. */
function base64({ start, text }: Run): View[] {
  return [0, 1, 2, 3].map((skip) => ({
    text: Buffer.from(text.slice(skip), 'base64').toString('latin1'),
    from: (at) => start + skip + Math.floor((at * 4) / 3),
    to: (at) => start + skip + Math.ceil(((at + 1) * 4) / 3),
  }));
}

function hex({ start, text }: Run): View[] {
  return [0, 1].map((skip) => ({
    text: Buffer.from(text.slice(skip, text.length - ((text.length - skip) % 2)), 'hex').toString(
      'latin1',
    ),
    from: (at) => start + skip + 2 * at,
    to: (at) => start + skip + 2 * at + 2,
  }));
}
