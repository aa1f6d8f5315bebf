import { expect, test } from '@playwright/test';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { Secret } from '../../contract/secrets/secret.ts';

const mebibyte = 2 ** 20;
const secret = 'AbCdEfGhIjKlMnOpQrStUvWxYz012345';

function knowing(...secrets: string[]): Scrubber {
  const scrubber = new Scrubber();
  for (const text of secrets) scrubber.learn(new Secret(text));
  return scrubber;
}

/** Repeats a text up to one MiB. */
const filled = (text: string): string =>
  text.repeat(Math.ceil(mebibyte / text.length)).slice(0, mebibyte);
const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Each of these texts took seconds when the scrubber decoded it as a whole. */
const hostile: readonly (readonly [what: string, text: string])[] = [
  ['one letter', filled('a')],
  ['the secret itself', filled(secret)],
  ['base64 three times', base64(base64(base64(filled('some words '))))],
  ['escapes of all kinds', filled('%25252541\\\\u0041&amp;amp;+word QUJDREVGR0hJSktM 4142434445 ')],
  ['percent signs', filled('%41')],
  ['pluses', filled('+')],
  ['many short words', filled('abcdefghijk ')],
  ['letters of other alphabets', filled('İüä😀')],
];

test('a text of a MiB costs no more than a short one', () => {
  const scrubber = knowing(secret, 'four', 'eleven-long', ...Array.from({ length: 50 }, noise));
  scrubber.scrub('learns what it has not read yet');
  for (const [what, text] of hostile) {
    const before = process.cpuUsage();
    const clean = scrubber.scrub(text);
    const { user, system } = process.cpuUsage(before);
    // It takes 5 ms on an idle machine; it once took 1,000 ms and more.
    expect((user + system) / 1000, what).toBeLessThan(150);
    expect(clean.length, what).toBeLessThan(2_200);
    expect(clean.toLowerCase(), what).not.toContain(secret.slice(0, 8).toLowerCase());
  }
});

const noise = (): string =>
  Array.from({ length: 300 }, () => Math.random().toString(36)[2]).join('');

test('a text that is too long is cut, and a secret at the cut is masked', () => {
  for (let before = 2_048 - secret.length; before <= 2_048; before++) {
    const clean = knowing(secret, 'q7Zx').scrub(`${'.'.repeat(before)}${secret} and more`);
    expect(clean.replaceAll('.', '')).toBe(before === 2_048 ? '…' : '[secret]…');
  }
  expect(knowing('q7Zx').scrub(`${'.'.repeat(2_046)}q7Zx`)).toBe(`${'.'.repeat(2_046)}[secret]…`);
});

test('a text with too many encodings to be searched is not shown', () => {
  const [, text = ''] = hostile.find(([what]) => what === 'escapes of all kinds') ?? [];
  expect(knowing(secret).scrub(text)).toBe('[not shown: encoded too often]');
});

test('a text that is encoded twice is always within the encoding limit', () => {
  const ways: ((text: string) => string)[] = [
    String,
    encodeURIComponent,
    JSON.stringify,
    base64,
    (text) => Buffer.from(text).toString('hex'),
    (text) => text.replace(/[^a-z]/gi, (sign) => `&#${sign.codePointAt(0)};`),
  ];
  const text = `Bearer ${secret} /path?token=${secret}&a=b%20c+d {"key":"\\"${secret}\\u0041"} <é> `;
  for (const outer of ways)
    for (const inner of ways)
      expect(knowing(secret).scrub(outer(inner(text.repeat(30))))).toContain('[secret]');
});
