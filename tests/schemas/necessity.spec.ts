import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../contract/http/answer.ts';
import { examplesOf, schemaOf, shapes } from './examples.ts';

/** A schema with one assertion less. */
interface Weaker {
  /** Where the assertion stood: `/properties/apiKey/minLength`. */
  readonly without: string;
  readonly schema: Record<string, unknown>;
}

/** They say something, and check nothing. */
const annotations = ['$schema', '$id', 'title', 'description', 'examples'];

/** Assertions that another one implies, and why they stand there all the same. */
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

/** The schema with each of its assertions, and each required field, taken away in turn. */
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

/** Whether a type stands beside a const of that type, and so checks nothing more. */
function impliedByConst(schema: Record<string, unknown>, pointer: string): boolean {
  const [keyword, ...path] = pointer.split('/').slice(1).reverse();
  const parent = path
    .reverse()
    .reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), schema);
  return keyword === 'type' && isObject(parent) && typeof parent.const === parent.type;
}
