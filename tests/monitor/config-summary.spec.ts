import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { durationText } from '../../config/fields.ts';
import { readTargetsFile } from '../../config/targets.ts';
import { formatConfig } from '../../monitor/config/config-summary.ts';
import { placesOf } from '../../monitor/round/plan.ts';
import { probes } from '../../probes/index.ts';

const env = { API_KEY: '<API_KEY>', SECRET_KEY: '<SECRET_KEY>' };
const few = probes.filter(({ name }) =>
  [
    'right-credentials-get-a-token',
    'wrong-credentials-get-no-token',
    'a-token-opens-the-endpoint',
    'a-token-in-query-cookie-header-or-body-is-refused',
    'expired-is-final',
  ].includes(name),
);

const text = `
defaults: { period: 60s }
targets:
  - name: production
    url: https://api.example.test/behind
    credentials: { apiKeyEnv: API_KEY, secretKeyEnv: SECRET_KEY }
    endpoints: [GET /public-api/v1/widgets]
  - name: a-name-that-is-longer-than-the-column
    url: https://b.example.test
    credentials: { apiKeyEnv: API_KEY, secretKeyEnv: SECRET_KEY }
    endpoints:
      - GET /public-api/v1/widgets
      - method: PATCH
        path: /public-api/v1/widgets
        headers: { X-Tenant: not-to-be-shown }
        body: { a: 1 }
        schema: { type: object }
    writes: true
    intrusive: true
    period: 2m
    timeout: 90s
    rate: 0.5
    tolerance: 1m
    canaries: off
    probes:
      a-token-in-query-cookie-header-or-body-is-refused: off
      a-token-opens-the-endpoint: { every: 30s }
    maintenance:
      - { from: 2026-12-01T02:00:00Z, until: 2026-12-01T04:00:00+01:00, note: move }
      - { from: 2026-12-02T02:00:00Z, until: 2026-12-02T02:00:30Z }
    labels: { team: payments, stage: two }
`;

function configOf() {
  const file = test.info().outputPath('monitor.yaml');
  writeFileSync(file, text);
  return { ...readTargetsFile(file, { env, probes }), file: 'monitor.yaml' };
}

test('the plan is printed in a paragraph per target, in two columns', () => {
  expect(formatConfig(configOf(), few, { number: 1, of: 1 })).toBe(`monitor.yaml names 2 targets

production     https://api.example.test/behind
  endpoints    GET /public-api/v1/widgets
  probes       3, which make 3 runs over the endpoints
               2 every 1m
               1 every 10m
  wrong keys   are never sent
  requests     10 s each at most
  canaries     a new one every 4h, tolerance 5s
  alerts       objective 99.5 %, slow from 1s

a-name-that-is-longer-than-the-column https://b.example.test/
  endpoints    GET /public-api/v1/widgets
               PATCH /public-api/v1/widgets with header X-Tenant, a body, a schema of the payload
  probes       4, which make 5 runs over the endpoints
               1 every 30s
               2 every 2m
               1 every 2h
  off          a-token-in-query-cookie-header-or-body-is-refused
  wrong keys   are sent (intrusive)
  requests     90 s each at most, at most 0.5 a second
  canaries     off
  maintenance  2026-12-01T02:00:00Z to 2026-12-01T03:00:00Z (move)
               2026-12-02T02:00:00Z to 2026-12-02T02:00:30Z
  alerts       objective 99.5 %, slow from 1s
  labels       team: payments
               stage: two
`);
});

test('a target with its own CA certificates is marked', () => {
  const config = configOf();
  const targets = config.targets.map((target) => ({
    ...target,
    connection: { ...target.connection, ca: 'PEM' },
  }));
  expect(formatConfig({ ...config, targets }, few, { number: 1, of: 1 })).toContain(
    '  requests     10 s each at most, its own CA certificates\n',
  );
});

test('no credential and no header value is printed', () => {
  const message = formatConfig(configOf(), probes, { number: 1, of: 1 });
  for (const hidden of ['<API_KEY>', '<SECRET_KEY>', 'not-to-be-shown'])
    expect(message).not.toContain(hidden);
});

test("a probe runs at the target's period, or at its own, scaled with that of the target", () => {
  const [, second] = configOf().targets;
  if (second === undefined) throw new Error('no target');
  const places = placesOf(second, few, 60);
  expect(
    places
      .filter(({ endpoint }) => endpoint === places[0]?.endpoint)
      .map(({ probe, everySeconds }) => [probe.name, everySeconds]),
  ).toEqual([
    ['right-credentials-get-a-token', 120],
    ['a-token-opens-the-endpoint', 30],
    ['wrong-credentials-get-no-token', 7200],
  ]);
});

test('durations are printed in the largest exact unit', () => {
  for (const [seconds, message] of [
    [1, '1s'],
    [90, '90s'],
    [120, '2m'],
    [3600, '1h'],
    [86_400, '1d'],
    [90_000, '25h'],
    [0.5, '500ms'],
  ] as const)
    expect(durationText(seconds)).toBe(message);
});

test('a key in an address, an endpoint, a label or a note is not shown', () => {
  const file = test.info().outputPath('keys.yaml');
  const key = 'Kestrel-planted-KEY-5c1';
  writeFileSync(
    file,
    `
targets:
  - name: production
    url: https://api.example.test/${key}
    credentials: { apiKeyEnv: API_KEY, secretKeyEnv: SECRET_KEY }
    endpoints: [GET /public-api/v1/${key.toUpperCase()}]
    labels: { team: ${key} }
    maintenance:
      - { from: 2026-12-01T02:00:00Z, until: 2026-12-01T04:00:00Z, note: ${key} }
`,
  );
  const config = readTargetsFile(file, {
    env: { API_KEY: key, SECRET_KEY: 'Umbra-planted' },
    probes,
  });
  const message = formatConfig(config, few, { number: 1, of: 1 });
  expect(message.toLowerCase()).not.toContain(key.slice(0, 8).toLowerCase());
  expect(message.match(/\[secret\]/g)).toHaveLength(4);
});
