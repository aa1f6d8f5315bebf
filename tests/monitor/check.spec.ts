import { writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { readTargetsFile } from '../../config/targets.ts';
import { formatPlan } from '../../monitor/check.ts';
import { findShard } from '../../monitor/targets.ts';
import { probes } from '../../probes/index.ts';

const key = 'Kestrel-planted-KEY-5c1';

const text = `
targets:
  - name: production
    url: https://api.example.test/behind
    credentials: { apiKeyEnv: API_KEY, secretKeyEnv: SECRET_KEY }
    endpoints: [GET /public-api/v1/widgets]
  - name: a-name-that-is-longer-than-the-column
    url: https://b.example.test/${key}
    credentials: { apiKeyEnv: API_KEY, secretKeyEnv: SECRET_KEY }
    endpoints:
      - GET /public-api/v1/widgets
      - { method: PATCH, path: /public-api/v1/widgets, headers: { X-Tenant: not-to-be-shown } }
    writes: true
    rate: 0.5
    monitor:
      intrusive: true
      period: 2m
      canaries: off
      probes:
        another-scheme-is-refused: off
        a-token-opens-the-endpoint: { every: 30s }
      maintenance:
        - { from: 2026-12-01T02:00:00Z, until: 2026-12-01T04:00:00+01:00, note: ${key} }
      labels: { team: ${key} }
`;

/** The plan of these targets. */
function planned(number = 1, of = 1) {
  const file = test.info().outputPath('monitor.yaml');
  writeFileSync(file, text);
  const env = { API_KEY: key, SECRET_KEY: 'Umbra-planted-secret' };
  const { targets, notify } = readTargetsFile(file, { env, probes });
  const shard = { number, of };
  const set = {
    targets: targets.filter(({ name }) => findShard(name, of) === number),
    names: targets.map(({ name }) => name),
    shard,
    notify,
  };
  return formatPlan(set, 'monitor.yaml', 60);
}

test('the plan is a paragraph for each target, and shows no credential and no value of a header', () => {
  expect(planned()).toBe(`monitor.yaml names 2 targets

production     https://api.example.test/behind
  endpoints    GET /public-api/v1/widgets
  requests     at most 12 in 1 min (30 at first); some 7,000 a day
  wrong keys   are never sent

a-name-that-is-longer-than-the-column https://b.example.test/[secret]
  endpoints    GET /public-api/v1/widgets
               PATCH /public-api/v1/widgets
  requests     at most 15 in 2 min (33 at first), and 0.5 a second; some 5,900 a day
  wrong keys   are sent (intrusive)
`);
});

test('the plan of a shard has its own targets, and says how many the file has', () => {
  const plans = [1, 2, 3].map((number) => planned(number, 3));
  for (const plan of plans)
    expect(plan).toMatch(/^monitor.yaml names 2 targets, of which [012] for shard \d\/3\n/);
  expect(plans.join('').match(/^(production|a-name)/gm)).toHaveLength(2);
});
