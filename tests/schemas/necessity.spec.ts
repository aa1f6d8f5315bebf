import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../contract/json-value.ts';
import { examplesOf, schemaOf, shapes } from './examples.ts';

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
