import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { statusJson } from '../../monitor/web/status-json.ts';
import { inMaintenance, named, states } from './page-states.ts';
import { monitorWith, now } from './statuses.ts';

const text = readFileSync(new URL('../../schemas/status.json', import.meta.url), 'utf8');
const conforms = new Ajv2020({ strict: true, allErrors: true }).compile(JSON.parse(text));

/** A monitor with everything that a status may have. */
const more = {
  lastRoundAt: now,
  unproven: 'GET /a: proves nothing',
  certificate: { earliestExpiry: now, chainExpiry: now },
  clockOffsetSeconds: 0.4,
};
const everything = monitorWith(
  [...states.hostile.targets, inMaintenance].map((target) => named(target, 'a', more)),
  { reloadProblem: 'targets.yaml:2:3: this is not YAML', draining: true },
);

for (const [name, view] of Object.entries({ ...states, everything, none: monitorWith([]) }))
  test(`/status.json conforms to its schema: ${name}`, () => {
    conforms(JSON.parse(statusJson(view)));
    expect(conforms.errors).toBeNull();
  });

test('instants are in ISO 8601, and what only the monitor needs is left out', () => {
  const { now: at, targets } = JSON.parse(statusJson(states.violated));
  expect(at).toBe('2027-03-01T00:15:00.000Z');
  const since = new Date(states.violated.targets[0]?.status.since ?? NaN).toISOString();
  expect(since).toMatch(/^2027-03-01T00:12:00\.0\d\dZ$/);
  expect(targets[0]).toMatchObject({ name: 'under-test', state: 'violated', since });
  expect(targets[0].events[1]).toEqual({ what: 'violated', clause: 'BEARER-2', from: since });
  const internal = /"(places|counters|factHistories|buckets|silent|nextRow)"/;
  expect(statusJson(everything)).not.toMatch(internal);
});

test('the schema allows no field that it does not describe', () => {
  const open: unknown[] = [];
  JSON.parse(text, (_, value: { properties?: object; additionalProperties?: boolean }) => {
    if (value?.properties !== undefined && value.additionalProperties !== false) open.push(value);
    return value;
  });
  expect(open).toEqual([]);
});
