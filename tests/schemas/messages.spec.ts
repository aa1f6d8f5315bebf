import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Answer } from '../../contract/http/answer.ts';
import { bodyMismatches, mismatches, type Shape, sentence } from '../../contract/schema.ts';
import { examplesOf, shapes } from './examples.ts';

/** The message for each counter-example. */
const message: Record<Shape, Record<string, string>> = {
  'error-envelope': {
    'success-is-a-string': '/success is a string, expected false',
    'success-is-an-array': '/success is an array, expected false',
    'success-is-an-object': '/success is an object, expected false',
    'success-is-misnamed': '/success is missing',
    'success-is-missing': '/success is missing',
    'success-is-null': '/success is null, expected false',
    'success-is-true': '/success is true, expected false',
    'success-is-zero': '/success is a number, expected false',
    'the-body-is-a-boolean': 'the body is true, expected an object',
    'the-body-is-a-number': 'the body is a number, expected an object',
    'the-body-is-a-string': 'the body is a string, expected an object',
    'the-body-is-an-array': 'the body is an array, expected an object',
    'the-body-is-in-an-array': 'the body is an array, expected an object',
    'the-body-is-null': 'the body is null, expected an object',
    'the-message-is-a-boolean': '/message is false, expected a string',
    'the-message-is-a-number': '/message is a number, expected a string',
    'the-message-is-an-array': '/message is an array, expected a string',
    'the-message-is-an-object': '/message is an object, expected a string',
    'the-message-is-called-error': '/message is missing',
    'the-message-is-missing': '/message is missing',
    'the-message-is-null': '/message is null, expected a string',
  },
  'success-envelope': {
    'success-is-a-number': '/success is a number, expected true',
    'success-is-a-string': '/success is a string, expected true',
    'success-is-an-array': '/success is an array, expected true',
    'success-is-an-object': '/success is an object, expected true',
    'success-is-false': '/success is false, expected true',
    'success-is-missing': '/success is missing',
    'success-is-null': '/success is null, expected true',
    'the-body-is-a-boolean': 'the body is true, expected an object',
    'the-body-is-a-number': 'the body is a number, expected an object',
    'the-body-is-a-string': 'the body is a string, expected an object',
    'the-body-is-an-array': 'the body is an array, expected an object',
    'the-body-is-in-an-array': 'the body is an array, expected an object',
    'the-body-is-null': 'the body is null, expected an object',
    'the-data-are-a-boolean': '/data is true, expected an object',
    'the-data-are-a-number': '/data is a number, expected an object',
    'the-data-are-a-string': '/data is a string, expected an object',
    'the-data-are-an-array': '/data is an array, expected an object',
    'the-data-are-missing': '/data is missing',
    'the-data-are-null': '/data is null, expected an object',
    'the-message-is-a-boolean': '/message is true, expected a string',
    'the-message-is-a-number': '/message is a number, expected a string',
    'the-message-is-an-array': '/message is an array, expected a string',
    'the-message-is-an-object': '/message is an object, expected a string',
    'the-message-is-missing': '/message is missing',
    'the-message-is-null': '/message is null, expected a string',
    'the-token-is-a-boolean': '/data/accessToken is true, expected a string',
    'the-token-is-a-number': '/data/accessToken is a number, expected a string',
    'the-token-is-an-array': '/data/accessToken is an array, expected a string',
    'the-token-is-an-object': '/data/accessToken is an object, expected a string',
    'the-token-is-empty':
      '/data/accessToken is an empty string, expected a string that is not empty',
    'the-token-is-misnamed': '/data/accessToken is missing',
    'the-token-is-missing': '/data/accessToken is missing',
    'the-token-is-null': '/data/accessToken is null, expected a string',
    'the-token-is-outside-the-data': '/data/accessToken is missing',
  },
  'token-request': {
    'the-api-key-is-a-boolean': '/apiKey is true, expected a string',
    'the-api-key-is-a-number': '/apiKey is a number, expected a string',
    'the-api-key-is-an-array': '/apiKey is an array, expected a string',
    'the-api-key-is-an-object': '/apiKey is an object, expected a string',
    'the-api-key-is-empty': '/apiKey is an empty string, expected a string that is not empty',
    'the-api-key-is-misnamed': '/apiKey is missing',
    'the-api-key-is-missing': '/apiKey is missing',
    'the-api-key-is-null': '/apiKey is null, expected a string',
    'the-body-is-a-boolean': 'the body is true, expected an object',
    'the-body-is-a-number': 'the body is a number, expected an object',
    'the-body-is-a-string': 'the body is a string, expected an object',
    'the-body-is-an-array': 'the body is an array, expected an object',
    'the-body-is-in-an-array': 'the body is an array, expected an object',
    'the-body-is-null': 'the body is null, expected an object',
    'the-secret-key-is-a-boolean': '/secretKey is true, expected a string',
    'the-secret-key-is-a-number': '/secretKey is a number, expected a string',
    'the-secret-key-is-an-array': '/secretKey is an array, expected a string',
    'the-secret-key-is-an-object': '/secretKey is an object, expected a string',
    'the-secret-key-is-empty': '/secretKey is an empty string, expected a string that is not empty',
    'the-secret-key-is-misnamed': '/secretKey is missing',
    'the-secret-key-is-missing': '/secretKey is missing',
    'the-secret-key-is-null': '/secretKey is null, expected a string',
  },
};

for (const shape of shapes)
  test(`each counter-example of ${shape} is reported in one exact sentence`, () => {
    const sentences = examplesOf(shape, 'invalid').map(({ name, value }) => [
      name,
      mismatches(shape, value).map(sentence).join('; '),
    ]);
    expect(Object.fromEntries(sentences)).toEqual(message[shape]);
  });

test('a body with several mistakes gets one sentence for each, in the order of the schema', () => {
  expect(mismatches('success-envelope', { success: 'yes', data: { accessToken: 7 } })).toEqual([
    { pointer: '/message', expected: 'to be there', actual: 'missing' },
    { pointer: '/success', expected: 'true', actual: 'a string' },
    { pointer: '/data/accessToken', expected: 'a string', actual: 'a number' },
  ]);
});

for (const [body, what] of [
  [Buffer.alloc(0), 'empty'],
  [Buffer.from([0x7b, 0xe9, 0x7d]), 'not UTF-8'],
  [Buffer.from('<html>tp-7361</html>'), 'not JSON'],
  [Buffer.from('{"success":true,'), 'not JSON'],
] as const)
  test(`the body ${JSON.stringify(body.toString('latin1'))} is reported as ${what}`, () => {
    const found = bodyMismatches('success-envelope', answerOf(body));
    expect(found.map(sentence)).toEqual([`the body is ${what}, expected a JSON object`]);
  });

test('a byte order mark before the JSON is not a mistake', () => {
  const body = Buffer.from('\ufeff{"success":false,"message":""}');
  expect(bodyMismatches('error-envelope', answerOf(body))).toEqual([]);
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
  return { request: { line: 'POST' }, status: 200, httpVersion: '1.1', headers: [], body, phases };
}
