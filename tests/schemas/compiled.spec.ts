import { expect, test } from '@playwright/test';
import { compileSchema } from '../../contract/schema.ts';

test('a third-party schema reports the first mismatch, and never the value', () => {
  const check = compileSchema({
    type: 'object',
    required: ['a/b'],
    properties: { id: { type: 'integer', maximum: 9 }, 'a/b': {} },
    additionalProperties: false,
  });
  const given = [{ id: 7361 }, { 'a/b': 1, 'planted~/': 7361 }, { 'a/b': 1, id: 7361 }].map(check);
  expect(given).toEqual([
    '/a~1b is missing',
    '/planted~0~1 is there, expected not to be there',
    '/id is a number, expected to satisfy maximum',
  ]);
  expect(check({ 'a/b': 1, id: 7 })).toBeUndefined();
});

test('all types are listed where several are accepted', () => {
  expect(compileSchema({ type: ['object', 'string'] })(1)).toBe(
    'the body is a number, expected an object or a string',
  );
});

test('a value that matches no branch reports the branches, however deep they are nested', () => {
  const fork = { anyOf: [{ type: 'string' }, { type: 'array', minItems: 1 }] };
  expect(compileSchema({ properties: { a: fork } })({ a: [] })).toBe(
    '/a is an array, expected to satisfy anyOf',
  );
  expect(compileSchema({ anyOf: [fork, fork] })(1)).toBe(
    'the body is a number, expected to satisfy anyOf',
  );
});

test('draft 7 is read as such, and unknown keywords and formats have no effect', () => {
  const tuple = { items: [{ type: 'string' }], additionalItems: false };
  const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#', ...tuple };
  expect(compileSchema(draft7)(['a', 'b'])).toBeDefined();
  expect(compileSchema(draft7)(['a'])).toBeUndefined();
  expect(compileSchema({ format: 'email', example: 1 })('no address')).toBeUndefined();
});

test('a pattern is Unicode, and one that is valid only without it is used too', () => {
  expect(compileSchema({ pattern: '^\\p{L}.$' })('\u00e9\u{1f600}')).toBeUndefined();
  const loose = compileSchema({ pattern: '^[\\w-\\.]+\\-[0-9]$' });
  expect(loose('a.b-1')).toBeUndefined();
  expect(loose('a b-1')).toBeDefined();
});

test('two schemas with one id do not interfere', () => {
  const id = 'https://example.test/widgets';
  expect(compileSchema({ $id: id, type: 'string' })(1)).toBeDefined();
  expect(compileSchema({ $id: id, type: 'number' })(1)).toBeUndefined();
});

for (const [what, schema] of [
  ['an unknown type', { type: 'objekt' }],
  ['another draft', { $schema: 'http://json-schema.org/draft-04/schema#' }],
  ['a reference that leads away', { $ref: 'https://example.test/elsewhere' }],
  ['a pattern that is none', { pattern: '(' }],
] as const)
  test(`a schema with ${what} is refused in one line, each time`, () => {
    for (const _time of [1, 2]) expect(() => compileSchema(schema)).toThrow(/^[^\n]+$/);
  });
