import { readFileSync, writeFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { parse } from 'yaml';
import { type ReadOptions, readTargetsFile } from '../../config/targets.ts';
import { isObject } from '../../contract/json-value.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { probes } from '../../probes/index.ts';
import { example, exampleConfig } from './example-config.ts';

const schema: Record<string, unknown> = JSON.parse(
  readFileSync(new URL('../../schemas/targets.json', import.meta.url), 'utf8'),
);

const env = { API_KEY: '<API_KEY>', SECRET_KEY: '<SECRET_KEY>' };
const credentials = 'credentials: { apiKeyEnv: API_KEY, secretKeyEnv: SECRET_KEY }';

/** Reads a text as a configuration file. */
function readConfig(text: string, options: Partial<ReadOptions> = {}) {
  const file = test.info().outputPath('monitor.yaml');
  writeFileSync(file, text);
  return readTargetsFile(file, { env, probes, ...options });
}

/** Reads a configuration file with one target that has these further lines. */
function readTarget(lines: string, options: Partial<ReadOptions> = {}) {
  const more = lines.replaceAll(/^(?=.)/gm, '    ');
  const text = `targets:\n  - name: a\n    url: https://a.test # no FILL_IN\n    ${credentials}\n${more}\n`;
  const [target] = readConfig(text, options).targets;
  if (target === undefined) throw new Error('no target');
  return target;
}

const minimal = 'endpoints: [GET /public-api/v1/widgets]';

test('a minimal target has the defaults', () => {
  expect(readTarget(minimal)).toEqual({
    name: 'a',
    connection: { origin: new URL('https://a.test'), timeoutMs: 10_000, maxBodyBytes: 1024 * 1024 },
    account: { apiKey: expect.any(Secret), secretKey: expect.any(Secret) },
    endpoints: [{ method: 'GET', path: '/public-api/v1/widgets' }],
    chosen: {},
    known: [],
    labels: {},
    settingNames: {
      address: 'its url in PUBLIC_API_TARGETS',
      credentials: 'its credentials in PUBLIC_API_TARGETS',
    },
  });
});

test('targets.example.yaml is accepted unchanged, and all of it takes effect', () => {
  const { targets, notify } = exampleConfig(test.info().outputPath('there'));
  expect(notify.map(({ url }) => url.pathname)).toEqual([
    '/api/v2/alerts',
    '/behind/a/path/api/v2/alerts',
    '/contract',
  ]);
  expect(notify[1]?.ca).toContain('BEGIN CERTIFICATE');
  const tokens = notify.map(({ token }) => token?.equals(new Secret('<TOKEN>')));
  expect(tokens).toEqual([true, undefined, true]);
  const [production, staging] = targets;
  expect(targets).toHaveLength(2);
  expect(production).toMatchObject({
    name: 'production',
    connection: { origin: new URL('https://api.example.com') },
    maintenance: [
      {
        from: Date.UTC(2026, 11, 1, 2),
        until: Date.UTC(2026, 11, 1, 3),
        note: 'move to the new database',
      },
    ],
    labels: { team: 'payments' },
  });
  expect(staging).toMatchObject({
    endpoints: [
      { method: 'GET', path: '/public-api/v1/widgets?page=1' },
      {
        method: 'POST',
        path: '/public-api/v1/widgets/search?page=1&tag=red&tag=round',
        headers: { 'X-Tenant': 'acme' },
        body: { json: { text: 'hammer', limit: 10 } },
        unfit: { schema: expect.any(String), mismatch: expect.any(Function) },
        slowSeconds: 2,
        deep: true,
      },
    ],
    connection: {
      ca: `${rootCertificates[0]}\n`,
      client: { cert: `${rootCertificates[0]}\n`, key: expect.any(Secret) },
    },
    clock: { file: test.info().outputPath('there/secrets/clock') },
    requestsPerSecond: 5,
    tokensPerSecond: 10 / 60,
    wrongCredentials: 4,
    canaries: 'off',
    chosen: {
      'a-token-in-query-cookie-header-or-body-is-refused': 'off',
      'right-credentials-get-a-token': { everySeconds: 300 },
      'wrong-credentials-get-no-token': { everySeconds: 21_600 },
    },
    intrusive: true,
    labels: { team: 'payments', stage: 'staging' },
  });
  expect(staging?.secondAccount?.apiKey.equals(new Secret('<SECOND_KEY>'))).toBe(true);
  expect(staging?.account.apiKey.equals(new Secret('<API_KEY>'))).toBe(true);
  expect(production?.account.secretKey.equals(new Secret('<SECRET_KEY>'))).toBe(true);
});

test('every name of the schema occurs in targets.example.yaml', () => {
  const names = new Set(namesIn(schema));
  const text = readFileSync(example, 'utf8');
  expect(names.size).toBeGreaterThan(30);
  const lacking = [...names].filter((name) => !new RegExp(`^[^#]*\\b${name}:`, 'm').test(text));
  expect(lacking).toEqual([]);
});

test('the schema is JSON Schema 2020-12, and accepts targets.example.yaml', () => {
  const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(schema);
  validate(parse(readFileSync(example, 'utf8')));
  expect(validate.errors).toBeNull();
  expect(validate({ targets: [{ name: 'a', url: 'https://a.test', perod: '60s' }] })).toBe(false);
});

test("a target's own value overrides the defaults, and these override the process settings", () => {
  const limits = { requestsPerSecond: 7, tokensPerSecond: 2, wrongCredentials: 3 };
  const client = { cert: '<PEM>', key: new Secret('<KEY>') };
  const connection = { timeoutMs: 1500, ca: '<PEM>', client, proxies: () => undefined };
  const unsaid = { ...limits, ...connection };
  expect(readTarget(minimal, unsaid)).toMatchObject({ ...limits, connection });
  const text = `
defaults: { timeout: 3s, rate: 8, ${minimal},
  monitor: { period: 2m, intrusive: true, tolerance: 6s, canaries: off, objective: 0.999 } }
targets:
  - { name: a, url: 'https://a.test', ${credentials} }
  - { name: b, url: 'https://b.test', ${credentials}, timeout: 4s, rate: 0.5, endpoints: [HEAD /public-api/v1/b],
      monitor: { period: 1s, intrusive: false, tolerance: 1h, canaries: { every: 1d }, objective: 0.99 } }
`;
  const { targets, notify } = readConfig(`${text}notify: [{ url: 'http://am.test' }]`, unsaid);
  expect(notify).toEqual([{ url: new URL('http://am.test'), proxies: connection.proxies }]);
  expect(targets).toMatchObject([
    {
      periodSeconds: 120,
      connection: { timeoutMs: 3000 },
      requestsPerSecond: 8,
      intrusive: true,
      toleranceMs: 6000,
      objectiveRatio: 0.999,
    },
    {
      periodSeconds: 1,
      connection: { timeoutMs: 4000 },
      requestsPerSecond: 0.5,
      intrusive: false,
      toleranceMs: 3_600_000,
      canaries: { everySeconds: 86_400 },
      endpoints: [{ method: 'HEAD', path: '/public-api/v1/b' }],
      objectiveRatio: 0.99,
    },
  ]);
});

test('probes and labels of the defaults and of a target are merged, and the target wins; both deviations are known', () => {
  const text = `
defaults:
  known: [{ clause: ERROR-3, reason: mended in spring }, { clause: ERROR-2, reason: old, target: b }]
  monitor:
   labels: { team: a, floor: b }
   probes: { a-token-in-query-cookie-header-or-body-is-refused: off, expired-is-final: off, wrong-credentials-get-no-token: { every: 1h } }
targets:
  - { name: a, url: 'https://a.test', ${credentials}, ${minimal},
      known: [{ clause: ERROR-1, reason: a firewall, target: a }], monitor: { labels: { team: c },
      probes: { a-token-in-query-cookie-header-or-body-is-refused: { every: 1m } } } }
`;
  expect(readConfig(text).targets).toMatchObject([
    {
      labels: { team: 'c', floor: 'b' },
      known: [{ clause: 'ERROR-3' }, { clause: 'ERROR-1' }],
      chosen: {
        'a-token-in-query-cookie-header-or-body-is-refused': { everySeconds: 60 },
        'expired-is-final': 'off',
        'wrong-credentials-get-no-token': { everySeconds: 3600 },
      },
    },
  ]);
});

test('a query is percent-encoded, and appended to the query of the path', () => {
  const endpoint = `{ method: GET, path: '/public-api/v1/w?a=1', query: { q: 'ä, &', on: true, n: [1, 0.5] } }`;
  expect(readTarget(`endpoints: [${endpoint}]`).endpoints).toEqual([
    { method: 'GET', path: '/public-api/v1/w?a=1&q=%C3%A4%2C%20%26&on=true&n=1&n=0.5' },
  ]);
});

test('each method that may have a body gets it, and a limit of time may be in milliseconds', () => {
  const endpoints = ['POST', 'PUT', 'PATCH'].map(
    (method) => `{ method: ${method}, path: /public-api/v1/w, body: [1], slow: 10ms }`,
  );
  const read = readTarget(`writes: true\nendpoints: [${endpoints}]`).endpoints;
  expect(read.map(({ body, slowSeconds }) => [body, slowSeconds])).toEqual(
    endpoints.map(() => [{ json: [1] }, 0.01]),
  );
});

test('a clock over HTTP has the headers of a variable', () => {
  const lines = `${minimal}\nclock: { url: 'https://a.test/clock', headersEnv: CLOCK_HEADERS }`;
  const { clock } = readTarget(lines, {
    env: { ...env, CLOCK_HEADERS: '{"Authorization":"<KEY>"}' },
  });
  const headers = [['Authorization', new Secret('<KEY>')]];
  expect(clock).toEqual({ url: new URL('https://a.test/clock'), headers });
});

test('a payload schema reports mismatches', () => {
  const target = readTarget(`endpoints:
  - { method: GET, path: /public-api/v1/a, schema: { type: array } }
  - { method: GET, path: /public-api/v1/c, schema: false }`);
  const fits = (payload: unknown) =>
    target.endpoints.map(({ unfit }) => unfit?.mismatch(payload) === undefined);
  expect(fits([])).toEqual([true, false]);
  expect(fits({})).toEqual([false, false]);
});

const listProperties = (part: unknown): Record<string, unknown> =>
  isObject(part) && isObject(part.properties) ? part.properties : {};

/** All property names in a schema. */
function namesIn(part: unknown): string[] {
  if (!isObject(part)) return [];
  return [...Object.keys(listProperties(part)), ...Object.values(part).flatMap(namesIn)].filter(
    (name) => !['properties', '$defs'].includes(name),
  );
}
