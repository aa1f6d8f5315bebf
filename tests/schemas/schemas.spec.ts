import { readdirSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { refusalMessage } from '../../contract/admission.ts';
import { clauses } from '../../contract/clauses.ts';
import { isObject } from '../../contract/json-value.ts';
import { mismatches } from '../../contract/schema.ts';
import { examplesOf, folder, schemaOf, shapes } from './examples.ts';

test('the schemas of bodies, and no others, have examples', () => {
  expect(readdirSync(new URL('examples/', folder)).sort()).toEqual(
    shapes.map((shape) => `${shape}.yaml`),
  );
});

for (const shape of shapes) {
  test(`${shape} accepts each of its examples`, () => {
    const examples = examplesOf(shape, 'valid');
    expect(examples.length).toBeGreaterThan(0);
    for (const { name, value } of examples) expect(mismatches(shape, value), name).toEqual([]);
  });

  test(`${shape} finds the one mistake of each of its counter-examples`, () => {
    const examples = examplesOf(shape, 'invalid');
    expect(examples.length).toBeGreaterThan(0);
    for (const { name, value } of examples) expect(mismatches(shape, value), name).toHaveLength(1);
  });

  test(`${shape} accepts the examples inside it, the document's among them`, () => {
    const { examples } = schemaOf(shape);
    expect(examples).toEqual([expect.anything()]);
    for (const example of Array.isArray(examples) ? examples : [])
      expect(mismatches(shape, example)).toEqual([]);
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
    expect(clauses.find(({ id }) => id === cited[0])?.level).toBe('must');
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
        expect(mismatches(shape, value), `${other}/${name}`).not.toEqual([]);
});

/** Every key of a schema, at any depth. */
function keywordsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keywordsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, part]) => [key, ...keywordsIn(part)]);
}

/** A schema without one of its assertions. */
interface Weaker {
  /** The JSON Pointer of the removed assertion: `/properties/apiKey/minLength`. */
  readonly without: string;
  readonly schema: Record<string, unknown>;
}

/** Keywords that describe but assert nothing. */
const annotations = ['$schema', '$id', 'title', 'description', 'examples'];

/** Assertions that another one implies, and why the schema has them nevertheless. */
const redundant: Record<string, string> = {
  'error-envelope /properties/success/type':
    'const says it; the document gives the type, and generators of code read it',
  'success-envelope /properties/success/type':
    'const says it; the document gives the type, and generators of code read it',
};

for (const shape of shapes) {
  const ajv = new Ajv2020({ strict: false });
  const { $id: _, ...schema } = schemaOf(shape);
  for (const weaker of weakerThan(schema)) {
    const reason = redundant[`${shape} ${weaker.without}`];
    test(`${shape} without ${weaker.without} ${reason === undefined ? 'accepts a counter-example' : 'is the same'}`, () => {
      const validate = ajv.compile(weaker.schema);
      const accepted = examplesOf(shape, 'invalid').filter(({ value }) => validate(value) === true);
      if (reason === undefined) expect(accepted.map(({ name }) => name)).not.toEqual([]);
      else expect([accepted, impliedByConst(schema, weaker.without)]).toEqual([[], true]);
    });
  }
}

test('every assertion that is listed as redundant is in a schema', () => {
  const all = shapes.flatMap((shape) =>
    [...weakerThan(schemaOf(shape))].map(({ without }) => `${shape} ${without}`),
  );
  expect(all.length).toBeGreaterThan(20);
  expect(Object.keys(redundant).filter((one) => !all.includes(one))).toEqual([]);
});

/** Removes each assertion and each required field of a schema in turn. */
function* weakerThan(schema: Record<string, unknown>, at = ''): Generator<Weaker> {
  for (const [keyword, value] of Object.entries(schema)) {
    if (annotations.includes(keyword)) continue;
    if (keyword === 'properties' && isObject(value)) {
      for (const [name, part] of Object.entries(value))
        for (const weaker of weakerThan(isObject(part) ? part : {}, `${at}/properties/${name}`))
          yield {
            ...weaker,
            schema: { ...schema, properties: { ...value, [name]: weaker.schema } },
          };
    } else if (keyword === 'required' && Array.isArray(value)) {
      for (const name of value)
        yield {
          without: `${at}/required/${name}`,
          schema: { ...schema, required: value.filter((other) => other !== name) },
        };
    } else {
      if (isObject(value)) throw new Error(`${at}/${keyword}: this test knows no such keyword`);
      const { [keyword]: _, ...rest } = schema;
      yield { without: `${at}/${keyword}`, schema: rest };
    }
  }
}

/** Whether a schema also has a const of this type, so that the type checks nothing more. */
function impliedByConst(schema: Record<string, unknown>, pointer: string): boolean {
  const [keyword, ...path] = pointer.split('/').slice(1).reverse();
  const parent = path
    .reverse()
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), schema);
  return keyword === 'type' && isObject(parent) && typeof parent.const === parent.type;
}
