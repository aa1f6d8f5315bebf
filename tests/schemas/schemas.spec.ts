import { readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { refusalMessage } from '../../contract/admission.ts';
import { clauses, mustHold } from '../../contract/clauses.ts';
import { isObject } from '../../contract/json-value.ts';
import { examplesOf, folder, mismatch, schemaOf, shapes } from './examples.ts';

test('the schemas of bodies, and no others, have examples', () => {
  expect(readdirSync(new URL('examples/', folder)).sort()).toEqual(
    shapes.map((shape) => `${shape}.yaml`),
  );
});

for (const shape of shapes) {
  test(`${shape} accepts each of its examples`, () => {
    const examples = examplesOf(shape, 'valid');
    expect(examples.length).toBeGreaterThan(0);
    for (const { name, value } of examples) expect(mismatch(shape, value), name).toBeUndefined();
  });

  test(`${shape} finds the mistake of each of its counter-examples`, () => {
    const examples = examplesOf(shape, 'invalid');
    expect(examples.length).toBeGreaterThan(0);
    for (const { name, value } of examples) expect(mismatch(shape, value), name).toBeDefined();
  });

  test(`${shape} accepts the examples inside it, the document's among them`, () => {
    const { examples } = schemaOf(shape);
    expect(examples).toEqual([expect.anything()]);
    for (const example of Array.isArray(examples) ? examples : [])
      expect(mismatch(shape, example)).toBeUndefined();
  });

  test(`${shape} is strict JSON Schema 2020-12, without a warning of ajv`, () => {
    const remarks: unknown[] = [];
    const note = (...words: unknown[]): void => {
      remarks.push(words);
    };
    const ajv = new Ajv2020({
      strict: true,
      strictRequired: true,
      logger: { log: note, warn: note, error: note },
    });
    expect(schemaOf(shape).$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schemaOf(shape).$id).toBe(`urn:public-api:${shape}`);
    expect(ajv.validateSchema(schemaOf(shape))).toBe(true);
    ajv.compile(schemaOf(shape));
    expect(remarks).toEqual([]);
  });

  test(`${shape} forbids no further field`, () => {
    const closing = /^((additional|unevaluated|max)Properties|propertyNames)$/;
    expect(keywordsIn(schemaOf(shape)).filter((keyword) => closing.test(keyword))).toEqual([]);
  });

  test(`${shape} cites clauses that exist, one that must hold first`, () => {
    const cited = JSON.stringify(schemaOf(shape)).match(/\b[A-Z]+-\d+\b/g) ?? [];
    expect(mustHold.map(({ id }) => id)).toContain(cited[0]);
    expect(cited.filter((id) => !clauses.some((clause) => clause.id === id))).toEqual([]);
  });
}

test('the example of the error envelope is the answer that the judge expects', () => {
  expect(schemaOf('error-envelope').examples).toEqual([
    { success: false, message: refusalMessage },
  ]);
});

test('no body matches two schemas, so schemas cannot be confused', () => {
  for (const shape of shapes)
    for (const other of shapes.filter((candidate) => candidate !== shape))
      for (const { name, value } of examplesOf(other, 'valid'))
        expect(mismatch(shape, value), `${other}/${name}`).toBeDefined();
});

/** Every key of a schema, at any depth. */
function keywordsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keywordsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...keywordsIn(part)]);
}
