import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { readTargetsFile } from '../../config/targets.ts';
import { fromRoot, startNode } from '../process.ts';
import { expect, test } from '../test.ts';

const openapi = `openapi: 3.1.0
info: { title: Widgets }
servers: [{ url: https://api.example.com/public-api/v1 }]
security: [{ bearerAuth: [] }]
paths:
  /auth/token: { post: { security: [] } }
  /health: { get: { security: [] } }
  /widgets: { get: {}, post: {} }
  /widgets/search: { get: { parameters: [{ $ref: other.yaml#/page }] } }
  /widgets/{id}: { get: {}, delete: {} }
`;

const other = 'page: { name: page, in: query, required: true, example: 1 }\n';

const credentials = '{ apiKeyEnv: PUBLIC_API_KEY, secretKeyEnv: PUBLIC_API_SECRET_KEY }';

/** Runs the command in a folder with these files. */
async function run(args: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const folder = test.info().outputPath('folder');
  mkdirSync(folder, { recursive: true });
  const all = { 'openapi.yaml': openapi, 'other.yaml': other, ...files };
  for (const [name, text] of Object.entries(all)) writeFileSync(path.join(folder, name), text);
  const ended = await startNode(folder, [fromRoot('config/openapi/main.ts'), ...args]).ended;
  const file = path.join(folder, 'targets.yaml');
  return { ...ended, file, text: existsSync(file) ? readFileSync(file, 'utf8') : undefined };
}

const env = { PUBLIC_API_KEY: '<API_KEY>', PUBLIC_API_SECRET_KEY: '<SECRET_KEY>' };

test('a new file has the target, and is refused until its markers are replaced', async () => {
  const { exit, stdout, file, text } = await run(['openapi.yaml']);
  expect(stdout).toBe(`endpoints in targets.yaml: 3 written, 0 kept
to fill in: replace each FILL_IN in the file
left out: 1 token endpoint, 1 without a requirement such as security: [{ bearerAuth: [] }], 2 that may change something (see --writes)
`);
  expect(exit).toBe(0);
  expect(
    text,
  ).toBe(`# Endpoints from openapi.yaml. The keys are in the environment or in .env, never here.
targets:
  - name: api
    url: https://api.example.com
    credentials: ${credentials}
    endpoints:
      - GET /public-api/v1/widgets
      - method: GET
        path: /public-api/v1/widgets/search
        query: { page: 1 }
      - GET /public-api/v1/widgets/FILL_IN
`);
  const read = () => readTargetsFile(file, { env, probes: [] });
  expect(read).toThrow(/targets\.yaml:11:36: write a real value instead of FILL_IN$/);
  writeFileSync(file, String(text).replace('FILL_IN', '42'));
  expect(read().targets).toMatchObject([{ endpoints: [{}, {}, { method: 'GET' }] }]);
});

test('a file keeps its comments, its order and its endpoints, and gets what it lacks', async () => {
  const before = `# ours
targets:
  - name: staging # first
    url: https://staging.example.com
    credentials: ${credentials}
    endpoints: [GET /public-api/v1/widgets]
  - name: production
    url: https://api.example.com
    credentials: ${credentials}
    # by hand
    endpoints:
      - GET  /public-api/v1/widgets/7 # this one
      - { method: GET, path: "/public-api/v1/widgets?a=1&name0=1&name1=1&name2=1&name3=1&name4=1&name5=1&name6=1&name7=1" }
      - GET /public-api/v1/gone
    rate: 5
`;
  const args = ['openapi.yaml', '--target', 'production', '--writes'];
  const { stdout, text } = await run(args, { 'targets.yaml': before });
  expect(stdout).toBe(`endpoints in targets.yaml: 3 written, 2 kept
to fill in: replace each FILL_IN in the file
left out: 1 token endpoint, 1 without a requirement such as security: [{ bearerAuth: [] }]
`);
  const lines = `      - POST /public-api/v1/widgets
      - method: GET
        path: /public-api/v1/widgets/search
        query: { page: 1 }
      - DELETE /public-api/v1/widgets/FILL_IN
    rate: 5
    writes: true
`;
  expect(text?.replace('[ GET /public-api/v1/widgets ]', '[GET /public-api/v1/widgets]')).toBe(
    before.replace('    rate: 5\n', lines),
  );
  const again = await run(args, { 'targets.yaml': String(text) });
  expect(again).toMatchObject({ exit: 0, text });
  expect(again.stdout).toContain('0 written, 5 kept');
});

const two = 'targets: [{ name: a, endpoints: &e [GET /x] }, { name: b, endpoints: *e }]\n';

test('a new file has the chosen name, and a marker for an address that the document has not', async () => {
  const relative = openapi.replace('https://api.example.com', '');
  const { text } = await run(['openapi.yaml', '--target', 'b'], { 'openapi.yaml': relative });
  expect(text).toContain('  - name: b\n    url: FILL_IN\n');
});

test('a document without security says what each operation needs, and no file is written', async () => {
  const unprotected = openapi.replace(/^security.*\n/m, '');
  const { exit, stdout, text } = await run(['openapi.yaml'], { 'openapi.yaml': unprotected });
  expect(stdout).toBe(`endpoints in targets.yaml: 0 written, 0 kept
left out: 1 token endpoint, 6 without a requirement such as security: [{ bearerAuth: [] }]
`);
  expect({ exit, text }).toEqual({ exit: 0, text: undefined });
});

for (const [where, before] of [
  ['the defaults', 'defaults: { endpoints: [GET /x] }\ntargets: [{ name: a }, { name: b }]\n'],
  ['an alias', two],
  ['a merge key', 'targets: [{ name: a, <<: &e { endpoints: [GET /x] } }, { name: b, <<: *e }]\n'],
] as const)
  test(`a target that has its endpoints by ${where} gets a list of its own that begins with them`, async () => {
    const { text } = await run(['openapi.yaml', '--target', 'b'], { 'targets.yaml': before });
    expect(text).toMatch(/name: b.*, endpoints: \[ GET \/x, GET \/public-api\/v1\/widgets, /);
  });

for (const [what, args, files, stderr] of [
  ['two documents', ['openapi.yaml', 'other.yaml'], {}, /^name one OpenAPI document: /],
  ['no document', [], {}, /^name one OpenAPI document: npm run endpoints -- --help/],
  ['a missing document', ['a.yaml'], {}, /^a\.yaml is not an OpenAPI document .*ENOENT/],
  ['another document', ['other.yaml'], {}, /: it does not begin with openapi: 3\.0 or 3\.1$/m],
  ['broken YAML', ['openapi.yaml'], { 'openapi.yaml': 'a: [1' }, /^openapi\.yaml is not an/],
  ['a broken reference', ['openapi.yaml'], { 'other.yaml': 'a: 1' }, /Missing \$ref pointer/],
  [
    'a file that is not YAML',
    ['openapi.yaml'],
    { 'targets.yaml': 'a: [' },
    /^targets\.yaml:1:5: is/,
  ],
  [
    'a target that is no map',
    ['openapi.yaml'],
    { 'targets.yaml': 'targets: [hello]' },
    /^targets\.yaml: name a target with --target, of: none$/m,
  ],
  [
    'two targets',
    ['openapi.yaml'],
    { 'targets.yaml': two },
    /name a target with --target, of: a, b$/m,
  ],
] as const)
  test(`${what} ends with exit code 2 and one line`, async () => {
    const ran = await run(args, files);
    expect(ran).toMatchObject({ exit: 2, stdout: '', stderr: expect.stringMatching(stderr) });
    expect(ran.stderr.trim()).not.toContain('\n');
  });
