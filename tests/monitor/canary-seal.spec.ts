import { inspect } from 'node:util';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { open, Secret } from '../../contract/secrets/secret.ts';
import { openToken, sealToken } from '../../monitor/canary/seal.ts';

const token = new Secret('CANARY-the-token-itself');
const key = new Secret('KEY-of-the-target');
const about = { target: 'staging', canary: 'one' };

const opened = (sealed: string, secretKey = key, what = about): string | undefined => {
  const secret = openToken(sealed, secretKey, what);
  return secret === undefined ? undefined : open(secret);
};

test('any token can be unsealed with its key, whatever the names are', () => {
  const text = fc.string({ unit: 'binary', maxLength: 300 });
  fc.assert(
    fc.property(text, text, text, text, (words, secretKey, target, canary) => {
      const what = { target: target.repeat(9), canary };
      const its = new Secret(secretKey);
      expect(opened(sealToken(new Secret(words), its, what), its, what)).toBe(words);
    }),
    { numRuns: 100 },
  );
});

test('a sealed token shows neither the token nor the key, and differs each time', () => {
  const sealed = sealToken(token, key, about);
  expect(sealed).toMatch(/^v1\.[\w-]+$/);
  const bytes = Buffer.from(sealed.slice(3), 'base64url').toString('latin1');
  for (const shown of [sealed, bytes]) expect(shown).not.toMatch(/CANARY|KEY-of|the-token|staging/);
  expect(sealToken(token, key, about)).not.toBe(sealed);
  expect(inspect(openToken(sealed, key, about), { showHidden: true })).not.toContain('CANARY');
});

for (const [what, secretKey, its] of [
  ['another key', new Secret('KEY-of-the-targeT'), about],
  ['no key', new Secret(''), about],
  ['another target', key, { ...about, target: 'production' }],
  ['another canary', key, { ...about, canary: 'two' }],
  ['names that only look alike when joined', key, { target: 'stagingo', canary: 'ne' }],
] as const)
  test(`a token stays sealed under ${what}`, () => {
    expect(opened(sealToken(token, key, about), secretKey, its)).toBeUndefined();
  });

test('a seal with one changed bit stays sealed, wherever the bit is', () => {
  const sealed = sealToken(token, key, about);
  const bytes = Buffer.from(sealed.slice(3), 'base64url');
  const open: number[] = [];
  for (let bit = 0; bit < bytes.length * 8; bit += 7) {
    const changed = Buffer.from(bytes);
    changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
    if (opened(`v1.${changed.toString('base64url')}`) !== undefined) open.push(bit);
  }
  expect(open).toEqual([]);
});

test('a seal that is cut, lengthened, of another version or malformed stays sealed', () => {
  const sealed = sealToken(token, key, about);
  const cuts = [0, 2, 3, 30, sealed.length - 1].map((length) => sealed.slice(0, length));
  const odd = [`${sealed}A`, sealed.replace('v1.', 'v2.'), open(token), `v1.${'A'.repeat(58)}`];
  for (const text of [...cuts, ...odd]) expect(opened(text), text).toBeUndefined();
});
