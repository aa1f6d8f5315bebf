import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { compileSchema } from '../../contract/schema.ts';

/** How long it takes to compile twenty different schemas (milliseconds). */
function timeOf(compile: (schema: Record<string, unknown>) => unknown): number {
  const before = performance.now();
  for (let index = 0; index < 20; index++) compile({ type: 'object', title: `the ${index}th` });
  return performance.now() - before;
}

test('schemas of many targets do not each compile the schema of schemas', () => {
  compileSchema({ type: 'object' });
  const alone = timeOf((schema) => new Ajv2020({ strict: false }).compile(schema));
  expect(timeOf(compileSchema)).toBeLessThan(alone / 2);
});

test('a schema that is wrong is refused each time', () => {
  for (const schema of [{ type: 'objekt' }, { required: 3 }, { type: 'objekt' }])
    expect(() => compileSchema(schema)).toThrow(
      /^schema is invalid: data\/(type|required) must be/,
    );
});
