import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { Secret } from '../../contract/secrets/secret.ts';

const secret = 'k3Y_hR7-vQ9z&"<wB2/pL5+xN8é';

function knowing(...secrets: string[]): Scrubber {
  const scrubber = new Scrubber();
  for (const text of secrets) scrubber.learn(new Secret(text));
  return scrubber;
}

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');

const forms: [what: string, written: (text: string) => string][] = [
  ['as it is', (text) => text],
  ['in capitals', (text) => text.toUpperCase()],
  ['in small letters', (text) => text.toLowerCase()],
  ['URL-encoded', encodeURIComponent],
  ['JSON-escaped', (text) => JSON.stringify(text).slice(1, -1)],
  [
    'JSON-escaped to ASCII',
    (text) =>
      text.replace(/[^\w]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`),
  ],
  ['HTML-escaped', (text) => text.replace(/[&"<]/g, (sign) => `&#${sign.charCodeAt(0)};`)],
  ['in base64', base64],
  ['in base64 behind one character', (text) => base64(`a${text}`)],
  ['in base64url', (text) => Buffer.from(`key:${text}`).toString('base64url')],
  ['in hex', hex],
];

for (const [what, written] of forms)
  test(`a secret is found ${what}`, () => {
    const scrubber = knowing(secret);
    for (const text of [secret, secret.slice(0, 14)]) {
      const clean = scrubber.scrub(`before ${written(text)} after`);
      expect(clean).toMatch(/^before .{0,6}\[secret\].{0,16} after$/);
      expect(clean.length).toBeLessThan(45);
    }
  });

test('a part of a secret is found wherever the secret is cut', () => {
  const scrubber = knowing('AbCdEfGhIjKlMnOpQrStUvWxYz012345');
  expect(scrubber.scrub('token AbCdEfGhIjKl… is bad')).toBe('token [secret]… is bad');
  expect(scrubber.scrub('…UvWxYz012345')).toBe('…[secret]');
});

test('overlapping secrets are both removed', () => {
  const scrubber = knowing('abcdefghijklmnop', 'klmnopqrstuvwxyz');
  expect(scrubber.scrub('<abcdefghijklmnopqrstuvwxyz>')).toBe('<[secret]>');
  expect(scrubber.scrub('abcdefghijklmnop klmnopqrstuvwxyz')).toBe('[secret] [secret]');
});

test('short secrets are masked as a whole, and secrets below the minimum length are not masked', () => {
  expect(knowing('q7Zx').scrub('a q7zx b q7z c')).toBe('a [secret] b q7z c');
  expect(knowing('abc', '').scrub('abc')).toBe('abc');
});

test('words, addresses, identifiers, UUIDs and times are unchanged, and what looks encoded is removed', () => {
  for (const text of [
    '',
    'Invalid or expired access token. expiresInSeconds, refreshToken, error_description, TOKEN_EXPIRED',
    'https://api.example.test/public-api/v1/widgets?page=2 application/vnd.widgets.v2+json',
    '1b4e28ba-2fa1-11d2-883f-0016d3cca427 2026-03-01T12:00:00.000Z status 401, 63 bytes',
  ])
    expect(knowing(secret).scrub(text)).toBe(text);
  for (const word of ['%41', '\\u0041', '&#65;', 'a%20b', 'kD3vR8xQ2m', '4142434445464748'])
    expect(knowing().scrub(`<${word}, "${word}">`)).toBe('<[secret], "[secret]">');
});

test('a word with the form of an issued token is removed, although it is unknown', () => {
  const scrubber = new Scrubber();
  scrubber.learnToken(new Secret('tok_quite-plain-one'));
  expect(scrubber.scrub('not tok_other-plain-two.')).toBe('not [secret].');
  for (const text of ['tok_other-plain-longer', 'TOK_other-plain-two', 'tok-other-plain-two'])
    expect(scrubber.scrub(text)).toBe(text);
});

test('of a text of the settings only whole secrets are removed', () => {
  const scrubber = knowing('public-api-key', 'abc');
  const text = 'GET /public-api/v1/widgets, kD3vR8xQ2m, abc: ';
  expect(scrubber.scrubWhole(`${text}PUBLIC-api-key`)).toBe(`${text}[secret]`);
});

const ascii = fc.string({ minLength: 12, maxLength: 60 });

test('no recognisable part of any secret is left, whatever text surrounds it', () => {
  const way = fc.constantFrom(...forms.slice(0, 6));
  fc.assert(
    fc.property(ascii, fc.string(), fc.string(), way, (text, before, after, [, written]) => {
      const clean = knowing(text)
        .scrub(`${before} ${written(text)} ${after}`)
        .toLowerCase();
      expect(clean).toContain('[secret]');
      const around = `${before} ${after} [secret]`.toLowerCase();
      for (const piece of pieces(text.toLowerCase(), 12))
        if (!around.includes(piece) && clean.includes(piece)) expect(clean).not.toContain(piece);
    }),
  );
});

function* pieces(text: string, size: number): Generator<string> {
  for (let at = 0; at + size <= text.length; at++) yield text.slice(at, at + size);
}

const letters = 'AbCdEfGhIjKlMnOpQrStUvWxYz012345';

test('a text that is too long is cut, and a secret at the cut is masked', () => {
  for (let before = 2_048 - letters.length; before <= 2_048; before++) {
    const clean = knowing(letters, 'q7Zx').scrub(`${'.'.repeat(before)}${letters} and more`);
    expect(clean.replaceAll('.', '')).toBe(before === 2_048 ? '…' : '[secret]…');
  }
  expect(knowing('q7Zx').scrub(`${'.'.repeat(2_046)}q7Zx`)).toBe(`${'.'.repeat(2_046)}[secret]…`);
});
