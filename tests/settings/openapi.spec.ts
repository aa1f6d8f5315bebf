import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { readDocument } from '../../config/openapi/document.ts';
import { createEndpoint } from '../../config/openapi/endpoint.ts';
import { compileSchema } from '../../contract/schema.ts';

const get = { responses: { 200: { description: 'fine' } } };
const server = { url: 'https://api.example.com' };

/** Reads an OpenAPI document with these parts. */
function read(parts: object) {
  const file = test.info().outputPath('openapi.json');
  const base = { openapi: '3.1.0', servers: [server], security: [{ bearerAuth: [] }] };
  writeFileSync(file, JSON.stringify({ ...base, ...parts }));
  return readDocument(file);
}

/** What is written of an operation: of `GET /public-api/v1/widgets` by default. */
async function written(
  operation: object,
  { method = 'get', path = '/public-api/v1/widgets', parts = {}, shared = [] as object[] } = {},
) {
  const document = await read({
    paths: { [path]: { parameters: shared, [method]: { ...get, ...operation } } },
    ...parts,
  });
  const [first] = document.operations;
  if (first === undefined) throw new Error('the document has no operation');
  return createEndpoint(first, document.names);
}

for (const [what, parts, path, reason] of [
  ['with a requirement of the document', {}, '/public-api/v1/a', undefined],
  ['that takes the requirement back', { own: [] }, '/public-api/v1/a', /^without a requirement/],
  ['with an optional requirement', { own: [{ a: [] }, {}] }, '/public-api/v1/a', /^without a req/],
  [
    'without any requirement',
    { security: undefined },
    '/public-api/v1/a',
    /^without a requirement/,
  ],
  ['below another path', {}, '/internal/a', /^outside/],
  ['at the prefix itself', {}, '/public-api/v1/', /^outside/],
  ['of the token endpoint', {}, '/public-api/v1/auth/token/', /^token endpoint/],
] as const)
  test(`an operation ${what} is ${reason === undefined ? 'written' : 'left out'}`, async () => {
    const { own, ...others } = { own: undefined, ...parts };
    const { operations } = await read({ paths: { [path]: { get: { security: own } } }, ...others });
    if (reason === undefined) expect(operations).toMatchObject([{ path, reason: undefined }]);
    else expect(operations[0]?.reason).toMatch(reason);
  });

for (const [url, path, expected] of [
  ['https://api.example.com', '/public-api/v1/a', 'https://api.example.com'],
  ['https://api.example.com/public-api/v1/', '/a', 'https://api.example.com'],
  ['https://api.example.com/behind/', '/public-api/v1/a', 'https://api.example.com/behind'],
  ['https://{host}/behind/public-api/v1', '/a', 'https://eu.example.com/behind'],
  ['/public-api/v1', '/a', undefined],
] as const)
  test(`the path ${path} at the server ${url} is the endpoint /public-api/v1/a`, async () => {
    const servers = [{ url, variables: { host: { default: 'eu.example.com' } } }];
    const document = await read({ servers, paths: { [path]: { get } } });
    expect(document).toMatchObject({ url: expected, operations: [{ path: '/public-api/v1/a' }] });
  });

const text = { type: 'string' };

/** Parameters without `in`, `required` and `name`, and the value of each in a path, and in a query. */
const parameters: readonly (readonly [
  what: string,
  given: object,
  path: unknown,
  query: unknown,
])[] = [
  ['an example', { example: 'a b', schema: text }, 'a%20b', 'a b'],
  ['examples', { examples: { one: { value: 7 } } }, '7', 7],
  ['an enum', { schema: { ...text, enum: ['open', 'done'] } }, 'open', 'open'],
  ['a number', { schema: { type: 'integer', minimum: 1 } }, 'FILL_IN', 1],
  ['a default of 0', { schema: { type: 'integer', default: 0 } }, '0', 0],
  ['a number without a form', { schema: { type: 'integer' } }, 'FILL_IN', 0],
  ['a date', { schema: { ...text, format: 'date' } }, 'FILL_IN', '2019-08-24'],
  ['a pattern', { schema: { ...text, pattern: '^A[0-9]{2}$' } }, 'FILL_IN', 'A00'],
  ['a text without a form', { schema: text }, 'FILL_IN', 'string'],
  ['no schema', {}, 'FILL_IN', 'FILL_IN'],
  ['a list', { schema: { type: 'array' }, example: ['a', 'b'] }, 'a%2Cb', ['a', 'b']],
  ['a schema that is not one', { schema: { allOf: 3 } }, 'FILL_IN', 'FILL_IN'],
  ['an object', { schema: { type: 'object' }, example: { a: 1 } }, 'FILL_IN', 'FILL_IN'],
];

for (const [what, given, path, query] of parameters)
  test(`a parameter with ${what} gets its value`, async () => {
    const place = { path: '/public-api/v1/widgets/{id}/parts' };
    const ofPath = { name: 'id', in: 'path' };
    const shared = [{ ...ofPath, example: 'x' }];
    const inPath = await written({ parameters: [{ ...ofPath, ...given }] }, { ...place, shared });
    expect(inPath.path).toBe(`/public-api/v1/widgets/${path}/parts`);
    const required = { name: 'id', in: 'query', required: true, ...given };
    const inQuery = await written({ parameters: [required] });
    expect(inQuery.fields).toEqual({ query: { id: query } });
  });

test('only required parameters are written, without the headers of the probes', async () => {
  const header = (name: string, required = true) => ({
    ...{ name, in: 'header', required, schema: { type: 'integer', default: 1 } },
  });
  const ofProbes =
    'Authorization accept Content-Type Host Cookie Content-Length Transfer-Encoding Connection Keep-Alive TE Trailer Upgrade Expect Proxy-Authorization';
  const names = ofProbes.split(' ');
  const optional = [header('X-Trace', false), { name: 'page', in: 'query', example: 1 }];
  const expect1 = { name: 'expect', in: 'query', required: true, example: 2 };
  const given = { parameters: [...names.map((name) => header(name)), ...optional, expect1] };
  const expected = { query: { expect: 2 }, headers: { 'X-Version': '1' } };
  expect((await written(given, { shared: [header('X-Version')] })).fields).toEqual(expected);
});

const id = { type: 'integer', readOnly: true };

for (const [what, media, body] of [
  ['the example', { example: { any: 1 }, schema: { type: 'object' } }, { any: 1 }],
  ['examples', { examples: { one: { value: [1] } } }, [1]],
  [
    'required properties that are not read-only',
    { schema: { required: ['id', 'name'], properties: { id, name: text, parent: text } } },
    { name: 'string' },
  ],
  [
    'all properties if none is required',
    { schema: { properties: { name: text } } },
    { name: 'string' },
  ],
  ['the marker, without a sample', { schema: { allOf: 3 } }, 'FILL_IN'],
] as const)
  test(`a body is ${what}`, async () => {
    for (const type of ['application/json', 'application/merge-patch+json; charset=utf-8']) {
      const operation = { requestBody: { content: { [type]: media } } };
      expect((await written(operation, { method: 'patch' })).fields).toEqual({ body });
      expect((await written(operation, { method: 'delete' })).fields).toEqual({});
    }
  });

test('an operation with a required body that is not JSON is left out, whatever its method', async () => {
  const optional = { requestBody: { content: { 'multipart/form-data': {} } } };
  const post = { requestBody: { required: true, ...optional.requestBody } };
  const item = { get: optional, head: {}, post, put: post, patch: post, delete: {}, trace: {} };
  const { operations } = await read({ paths: { '/public-api/v1/files': item } });
  const reasons = operations.map(({ method, reason = '' }) => `${method} ${reason.split(' ')[0]}`);
  expect(reasons.join()).toBe('GET ,HEAD ,POST with,PUT with,PATCH with,DELETE that');
});

const node = {
  type: 'object',
  required: ['v'],
  properties: { v: {}, next: { $ref: '#/components/schemas/Node' } },
};

/** Schemas of answers, with payloads that match the written schema and payloads that do not. */
const schemas: readonly (readonly [
  what: string,
  schema: object,
  right: unknown[],
  wrong: unknown[],
])[] = [
  ['nullable', { type: 'string', nullable: true }, ['a', null], [1]],
  [
    'nullable reference',
    { nullable: true, allOf: [{ $ref: '#/components/schemas/Node' }] },
    [null, { v: 1 }],
    [{}],
  ],
  ['exclusive limit', { type: 'number', minimum: 0, exclusiveMinimum: true }, [1], [0]],
  [
    'recursion',
    { $ref: '#/components/schemas/Node' },
    [{ v: 1, next: { v: 2 } }],
    [{ v: 1, next: {} }],
  ],
  [
    'write-only property',
    { required: ['a', 'b'], properties: { a: { writeOnly: true } } },
    [{ b: 1 }],
    [{ a: 1 }],
  ],
  [
    'property called example',
    { properties: { example: { type: 'integer', example: 1, format: 'id', 'x-a': 1 } } },
    [{ example: 2 }],
    [{ example: 'a' }],
  ],
];

for (const [what, schema, right, wrong] of schemas)
  test(`the schema of an answer with a ${what} stands alone`, async () => {
    const other = { content: { '*/*': { schema: { type: 'array' } } } };
    const responses = { '2XX': { content: { '*/*': { schema } } }, 199: other, 400: other };
    const parts = { openapi: '3.0.3', components: { schemas: { Node: node } } };
    expect((await written({ responses }, { parts, method: 'head' })).fields).toEqual({});
    const { fields } = await written({ responses }, { parts });
    const mismatch = compileSchema(Object(fields.schema));
    for (const payload of right) expect(mismatch(payload)).toBeUndefined();
    for (const payload of wrong) expect(mismatch(payload)).toBeDefined();
  });

const description = { title: 'a', description: 'b', format: 'c', default: 1, 'x-d': 1 };

for (const [what, content] of [
  ['without JSON', { 'text/csv': { schema: text } }],
  ['whose schema only describes', { 'application/json': { schema: description } }],
] as const)
  test(`an answer ${what} gives no schema`, async () => {
    expect((await written({ responses: { 200: { content } } })).fields).toEqual({});
  });
