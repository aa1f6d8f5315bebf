import { mkdtempDisposable, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { naming } from '../../tests/gate/process.ts';
import { nodeArguments, run } from './processes.ts';
import type { Measured, Row, Rows } from './table.ts';

/*
 * The gate at providers as an ordinary team has them: with a limit, or with thirty endpoints that take their time. Most
 * of the minutes are pauses, so all are measured at once.
 */

/** A window of a minute in which the provider answers so many of these requests. */
function limit(most: number, counts: (call: Call) => boolean): Partial<Behaviour> {
  let began = Number.NEGATIVE_INFINITY;
  let count = 0;
  return {
    finish(reply, call) {
      if (!counts(call)) return reply;
      const now = Date.now();
      if (now - began >= 60_000) [began, count] = [now, 0];
      count += 1;
      const seconds = `${Math.ceil((began + 60_000 - now) / 1000)}`;
      return count <= most ? reply : { status: 429, headers: { 'Retry-After': seconds } };
    },
  };
}

const paths = Array.from({ length: 30 }, (_, index) => `/public-api/v1/things/${index}`);

const thirty: Partial<Behaviour> = {
  arrived: () => 100 + Math.random() * 200,
  route: ({ method, path: requested }) =>
    method === 'GET' && paths.includes(requested)
      ? { method, path: requested, reply: { status: 200, json: { things: [] } } }
      : undefined,
};

const isForToken = ({ path: requested }: Call): boolean => requested.endsWith('/auth/token');

const providers: Readonly<Record<string, () => Partial<Behaviour>>> = {
  'ten tokens a minute': () => limit(10, isForToken),
  'sixty requests a minute': () => limit(60, () => true),
  'thirty endpoints that take 100 to 300 ms': () => thirty,
};

/** The gate at such a provider. @returns minutes, with the number of requests and of clauses with a verdict */
async function measure(name: string, hasClock: boolean, level: string[]): Promise<Measured> {
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), 'bench-'));
  await using sandbox = await startSandbox({ behaviour: { ...right, ...providers[name]?.() } });
  const { PUBLIC_API_CLOCK_URL, ...env } = naming(sandbox);
  const endpoints = name.startsWith('thirty') ? paths.map((one) => `GET ${one}`).join() : undefined;
  const seconds = await run(folder.path, {
    args: [...nodeArguments('gate'), ...level],
    env: {
      ...env,
      ...(hasClock && { PUBLIC_API_CLOCK_URL }),
      ...(endpoints && { PUBLIC_API_ENDPOINTS: endpoints }),
    },
  });
  const report = JSON.parse(await readFile(path.join(folder.path, 'reports/gate.json'), 'utf8'));
  const held = report.clauses.filter((one: { verdict: string }) => one.verdict === 'holds');
  return {
    value: seconds / 60,
    note: `${report.requests} requests, ${held.length} of ${report.clauses.length} clauses held`,
  };
}

const cases: readonly (readonly [
  provider: string,
  clock: boolean,
  level: string[],
  most: number,
])[] = [
  ['ten tokens a minute', false, [], 25],
  ['ten tokens a minute', true, [], 30],
  ['ten tokens a minute', false, ['--quick'], 2],
  ['sixty requests a minute', false, [], 25],
  ['sixty requests a minute', true, [], 30],
  ['sixty requests a minute', false, ['--quick'], 2],
  ['thirty endpoints that take 100 to 300 ms', false, [], 3],
  ['thirty endpoints that take 100 to 300 ms', false, ['--quick'], 0.5],
];

let started: readonly Promise<Measured>[] | undefined;

/** The first row that is measured starts all. */
const measured = (index: number): Promise<Measured> => {
  started ??= cases.map(([provider, clock, level]) => measure(provider, clock, level));
  return started[index] ?? Promise.reject(new Error(`there is no case ${index}`));
};

const words = ([provider, clock, level]: (typeof cases)[number]): string =>
  `${provider}, ${clock ? 'with' : 'without'} a test clock${level.length > 0 ? ', --quick' : ''}`;

/** Rows of the table in gate/README.md. */
export const ofOrdinaryTeams: Rows = Object.fromEntries(
  cases.map((one, index): [string, Row] => [
    `ordinary/${index + 1}`,
    {
      what: words(one),
      unit: 'min',
      most: one[3],
      page: new URL('../../gate/README.md', import.meta.url),
      measure: () => measured(index),
    },
  ]),
);
