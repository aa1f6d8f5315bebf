import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { refusalMessage } from '../../contract/admission.ts';
import { clauses } from '../../contract/clauses.ts';
import { apiPrefix, tokenPath } from '../../contract/http/request.ts';
import { field, isObject } from '../../contract/json-value.ts';
import { folder, schemaOf, shapes } from './examples.ts';

const text = readFileSync(new URL('openapi.yaml', folder), 'utf8');
const document: unknown = parse(text, { strict: true, uniqueKeys: true });

test('the document is valid OpenAPI 3.1', async () => {
  expect(at(document, '/openapi')).toMatch(/^3\.1\./);
  expect(await verdictOn(text)).toEqual({ valid: true });
});

test('the paths are those of the contract', () => {
  expect(Object.keys(record(at(document, '/paths')))).toEqual([
    tokenPath,
    `${apiPrefix}{endpoint}`,
  ]);
  expect(Object.keys(record(at(document, '/paths'))[tokenPath] ?? {})).toEqual(['post']);
});

test('only the token endpoint needs no token', () => {
  expect(at(document, '/security')).toEqual([{ bearerAuth: [] }]);
  expect(at(document, '/components/securitySchemes/bearerAuth')).toMatchObject({
    type: 'http',
    scheme: 'bearer',
  });
  const open = operations().filter(([, operation]) => field(operation, 'security') !== undefined);
  expect(open.map(([name, operation]) => [name, field(operation, 'security')])).toEqual([
    [`post ${tokenPath}`, []],
  ]);
});

test('unspecified facts stay open: the status of a success, and every answer except 401', () => {
  for (const [name, operation] of operations())
    expect(Object.keys(record(field(operation, 'responses'))), name).toEqual([
      name.endsWith(tokenPath) ? '2XX' : '401',
      'default',
    ]);
  expect(at(document, '/components/responses/Authorised/content')).toBeUndefined();
  expect(text).not.toMatch(/additionalProperties|unevaluatedProperties/);
});

test('the 401 matches the contract, word for word', () => {
  const media = at(document, '/components/responses/Unauthorised/content/application~1json');
  expect(field(media, 'example')).toEqual({ success: false, message: refusalMessage });
  expect(at(media, '/schema/allOf/1/properties/message/const')).toBe(refusalMessage);
});

test('every example matches the schema beside it', () => {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, strictTypes: false });
  for (const shape of shapes) ajv.addSchema(schemaOf(shape));
  const media = objectsIn(document).filter(
    ({ schema, example }) => schema !== undefined && isObject(example),
  );
  expect(media).toHaveLength(3);
  for (const { schema, example } of media) {
    const own = JSON.stringify(schema).replaceAll(/"\.\/([\w-]+)\.json"/g, '"urn:public-api:$1"');
    expect(ajv.validate(JSON.parse(own), example), own).toBe(true);
  }
});

test('the document cites clauses that exist', () => {
  const cited = new Set(text.match(/\b[A-Z]+-\d+\b/g));
  const known = clauses.map(({ id }) => String(id));
  expect([...cited].filter((id) => !known.includes(id))).toEqual([]);
});

/** The result of the OpenAPI validator for a document that refers to the schemas. */
async function verdictOn(openapi: string): Promise<unknown> {
  const validator = new Validator();
  for (const shape of shapes) await validator.addSpecRef(schemaOf(shape), `./${shape}.json`);
  return validator.validate(openapi);
}

function operations(): [string, unknown][] {
  return Object.entries(record(at(document, '/paths'))).flatMap(([path, item]) =>
    Object.entries(record(item))
      .filter(([method]) => ['get', 'post', 'put', 'patch', 'delete'].includes(method))
      .map(([method, operation]): [string, unknown] => [`${method} ${path}`, operation]),
  );
}

/** The value at a JSON Pointer; undefined if it does not exist. */
const at = (value: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (part, name) => (Array.isArray(part) ? part[Number(name)] : field(part, name)),
      value,
    );

const record = (value: unknown): Record<string, unknown> => (isObject(value) ? value : {});

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}
