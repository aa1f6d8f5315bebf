import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../contract/json-value.ts';
import { statusJson } from '../../monitor/web/status-json.ts';
import { states, waiting } from './page-states.ts';
import { monitorOf, now } from './statuses.ts';

const file = new URL('../../schemas/status.json', import.meta.url);
const conforms = new Ajv2020({ strict: true, allErrors: true }).compile(
  JSON.parse(readFileSync(file, 'utf8')),
);
const problems = (document: unknown): unknown[] =>
  conforms(document) ? [] : (conforms.errors ?? []);

/** A monitor with everything that a status may have. */
const everything = monitorOf(
  [...Object.values(states).flatMap(({ targets }) => targets.slice(0, 40)), waiting].map(
    (target) => ({
      ...target,
      token: target.token && { ...target.token, off: 'a new token ends the one before it' },
      status: {
        ...target.status,
        lastRoundAt: now,
        unproven: 'GET /a: proves nothing',
        certificate: { earliestExpiry: now, chainExpiry: now },
        clockOffsetSeconds: 0.4,
      },
    }),
  ),
  { reloadProblem: 'targets.yaml:2:3: this is not YAML', draining: true },
);

for (const [name, view] of Object.entries({ ...states, everything, none: monitorOf([]) }))
  test(`/status.json conforms to its schema: ${name}`, () => {
    expect(problems(JSON.parse(statusJson(view)))).toEqual([]);
  });

test('instants are in ISO 8601, and what only the monitor needs is left out', () => {
  const { now: at, targets } = JSON.parse(statusJson(states.violated));
  expect(at).toBe('2027-03-01T00:15:00.000Z');
  expect(targets[0]).toMatchObject({
    name: 'under-test',
    state: 'violated',
    since: '2027-03-01T00:12:00.000Z',
    events: expect.arrayContaining([
      { what: 'violated', clause: 'BEARER-2', from: expect.any(String) },
    ]),
  });
  expect(statusJson(everything)).not.toMatch(
    /"(places|counters|factHistories|buckets|silent|nextRow)"/,
  );
});

test('an unknown field is found in every object', () => {
  const document: unknown = JSON.parse(statusJson(everything));
  const open = objectsIn(document).filter(({ object, path }) => {
    object.unheardOf = 1;
    const isFound = !conforms(document);
    delete object.unheardOf;
    return !isFound && !path.endsWith('/labels');
  });
  expect(open.map(({ path }) => path)).toEqual([]);
});

/** One object at each path; all items of a list have the same path. */
function objectsIn(value: unknown, path = '', found = new Map<string, Record<string, unknown>>()) {
  if (Array.isArray(value)) for (const item of value) objectsIn(item, `${path}/0`, found);
  if (!isObject(value)) return [];
  found.set(path, value);
  for (const [name, field] of Object.entries(value)) objectsIn(field, `${path}/${name}`, found);
  return [...found].map(([where, object]) => ({ path: where, object }));
}
