import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Answer } from '../../contract/http/answer.ts';
import { bodyMismatches, mismatches, sentence } from '../../contract/schema.ts';
import { examplesOf, shapes } from './examples.ts';

/** The sentence for each counter-example. */
const expected = parse(readFileSync(new URL('sentences.yaml', import.meta.url), 'utf8'));

for (const shape of shapes)
  test(`each counter-example of ${shape} is reported in one exact sentence`, () => {
    const sentences = examplesOf(shape, 'invalid').map(({ name, value }) => [
      name,
      mismatches(shape, value).map(sentence).join('; '),
    ]);
    expect(Object.fromEntries(sentences)).toEqual(expected[shape]);
  });

test('a body with several mistakes gets one sentence for each, in the order of the schema', () => {
  expect(mismatches('success-envelope', { success: 'yes', data: { accessToken: 7 } })).toEqual([
    { pointer: '/message', expected: 'to be there', actual: 'missing' },
    { pointer: '/success', expected: 'true', actual: 'a string' },
    { pointer: '/data/accessToken', expected: 'a string', actual: 'a number' },
  ]);
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
      const found = bodyMismatches(shape, answerOf(Buffer.from(JSON.stringify(value))));
      expect(JSON.stringify(found)).not.toContain('7361');
      expect(found.map(sentence).join()).not.toContain('7361');
      expect(found).toEqual(mismatches(shape, JSON.parse(JSON.stringify(value))));
    }),
    { numRuns: 500 },
  );
});

function answerOf(body: Buffer): Answer {
  const phases = { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 };
  return { request: { line: 'POST' }, status: 200, headers: [], body, phases };
}
