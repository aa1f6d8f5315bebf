import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { examplesOf, mismatch, shapes } from './examples.ts';

/** The sentence for each counter-example. */
const expected = parse(readFileSync(new URL('sentences.yaml', import.meta.url), 'utf8'));

for (const shape of shapes)
  test(`each counter-example of ${shape} is reported in one exact sentence`, () => {
    const sentences = examplesOf(shape, 'invalid').map(({ name, value }) => [
      name,
      mismatch(shape, value),
    ]);
    expect(Object.fromEntries(sentences)).toEqual(expected[shape]);
  });

test('no sentence quotes the body, whatever the body contains', () => {
  const planted = 'tp-7361';
  const leaf = fc.oneof(
    fc.constantFrom(planted, '', ` ${planted}\n`, planted.repeat(99)),
    fc.jsonValue({ maxDepth: 1 }),
    fc.constant([planted, { [planted]: planted }]),
  );
  const names = ['success', 'message', 'data', 'accessToken', 'apiKey', 'secretKey', planted];
  const body = fc.letrec((tie) => ({
    value: fc.oneof({ maxDepth: 3 }, leaf, tie('object')),
    object: fc.dictionary(fc.constantFrom(...names), tie('value')),
  })).value;
  fc.assert(
    fc.property(body, fc.constantFrom(...shapes), (value, shape) => {
      expect(mismatch(shape, value) ?? '').not.toContain('7361');
    }),
    { numRuns: 500 },
  );
});
