import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject } from '../../contract/json-value.ts';
import { routes } from '../../monitor/web/routes.ts';
import { probes } from '../../probes/index.ts';
import { down, quiet, watching } from './in-memory.ts';
import { states } from './page-states.ts';
import { fakeMetrics, serving } from './serving.ts';

const schema = JSON.parse(
  readFileSync(new URL('../../schemas/status.json', import.meta.url), 'utf8'),
);
const conforms = new Ajv2020({ strict: true, allErrors: true }).compile(schema);
const minute = 60_000;

/** Some tests simulate a day, so they run only a few probes. */
const few = probes.filter(({ name }) =>
  [
    'right-credentials-get-a-token',
    'a-token-opens-the-endpoint',
    'a-request-without-a-token-is-refused',
  ].includes(name),
);

/** A provider, and a list of targets with one target that has one endpoint. */
function quietly() {
  const { target, ...world } = quiet();
  return { ...world, targets: [target] };
}

function quietWithCanaries() {
  const { targets, ...world } = quietly();
  return {
    ...world,
    targets: targets.map((one) => ({ ...one, canaries: { everySeconds: 6 * 3600 } })),
  };
}

function problems(value: unknown): string[] {
  conforms(value);
  return (conforms.errors ?? []).map(
    ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
  );
}

/** The answer of a monitor to `/status.json`. */
async function answerOf(monitor: Pick<ReturnType<typeof watching>, 'status'>): Promise<unknown> {
  const app = routes({ status: () => monitor.status(), metrics: fakeMetrics() });
  return (await app.request('/status.json')).json();
}

const where = (value: unknown): Record<string, unknown> =>
  JSON.parse(JSON.stringify(value)).targets?.[0] ?? {};

test('the status of a healthy monitor conforms, also after canaries have died', async () => {
  const one = watching(few, quietWithCanaries());
  await one.time.pass(25 * 60 * minute);
  const answer = await answerOf(one);
  expect(problems(answer)).toEqual([]);
  expect(where(answer)).toMatchObject({
    state: 'holds',
    events: [],
    latency: expect.arrayContaining([
      { from: expect.any(String), requests: 30, p50Seconds: 0.00207, p95Seconds: 0.00207 },
    ]),
    token: { checks: expect.arrayContaining([expect.objectContaining({ admitted: false })]) },
  });
});

test('the status of a broken, of an unreachable and of a recovered provider conforms', async () => {
  const one = watching(few, quietly());
  await one.time.pass(30 * minute);
  one.provider.answer = (line, token) =>
    token === undefined && line.startsWith('GET') ? {} : undefined;
  await one.time.pass(30 * minute);
  const broken = await answerOf(one);
  expect(problems(broken)).toEqual([]);
  expect(where(broken)).toMatchObject({
    state: 'broken',
    events: expect.arrayContaining([
      expect.objectContaining({ what: 'violated', clause: 'BEARER-2' }),
    ]),
  });
  one.provider.answer = () => undefined;
  await one.time.pass(90 * minute);
  one.provider.answer = down;
  await one.time.pass(30 * minute);
  const away = await answerOf(one);
  expect(problems(away)).toEqual([]);
  expect(where(away)).toMatchObject({
    state: 'unreachable',
    events: expect.arrayContaining([
      expect.objectContaining({ what: 'unreachable' }),
      expect.objectContaining({ what: 'violated', until: expect.any(String) }),
    ]),
  });
  one.provider.answer = () => undefined;
  await one.time.pass(90 * minute);
  expect(problems(await answerOf(one))).toEqual([]);
});

test('the status of a monitor without targets, and of one that has just started, conforms', async () => {
  expect(problems(await answerOf(watching(probes, { targets: [] })))).toEqual([]);
  expect(problems(await answerOf(watching(probes)))).toEqual([]);
});

test('every state that the page can show conforms', async () => {
  const { get, become } = serving();
  for (const [name, status] of Object.entries(states)) {
    become(status);
    expect([name, problems(await (await get('/status.json')).json())]).toEqual([name, []]);
  }
});

test('the status after a failed reload conforms', async () => {
  const status = { ...states.holds, reloadProblem: 'targets.yaml:2:3: this is not YAML' };
  const answer = await serving({ status: () => status }).get('/status.json');
  const document: unknown = await answer.json();
  expect(document).toMatchObject({ reloadProblem: status.reloadProblem });
  expect(problems(document)).toEqual([]);
});

test('an unknown field is found in every object', async () => {
  const one = watching(few, quietWithCanaries());
  await one.time.pass(25 * 60 * minute);
  const answer = await answerOf({
    status: () => ({
      ...one.status(),
      targets: [...one.status().targets, ...states.broken.targets],
    }),
  });
  const open = objectsIn(answer).filter(({ value, path }) => {
    value.unheardOf = 1;
    const found = problems(answer).some((line) => line.includes('unheardOf'));
    delete value.unheardOf;
    return !found && !path.endsWith('/labels');
  });
  expect(open.map(({ path }) => path)).toEqual([]);
  expect(problems(answer)).toEqual([]);
});

/** One object at each path; all items of a list have the same path. */
function objectsIn(value: unknown, path = '', found = new Map<string, Record<string, unknown>>()) {
  if (Array.isArray(value)) for (const one of value) objectsIn(one, `${path}/0`, found);
  if (!isObject(value)) return [];
  found.set(path, value);
  for (const [name, one] of Object.entries(value)) objectsIn(one, `${path}/${name}`, found);
  return [...found].map(([where, object]) => ({ path: where, value: object }));
}
