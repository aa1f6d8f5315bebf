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

/** The provider answers so many requests of one caller in a minute. @param callerOf undefined if one does not count */
function limit(most: number, callerOf: (call: Call) => string | undefined): Partial<Behaviour> {
  const windows = new Map<string, { began: number; count: number }>();
  return {
    finish(reply, call) {
      const caller = callerOf(call);
      if (caller === undefined) return reply;
      const now = Date.now();
      const last = windows.get(caller);
      const own = last && now - last.began < 60_000 ? last : { began: now, count: 0 };
      windows.set(caller, own);
      own.count += 1;
      const seconds = `${Math.ceil((own.began + 60_000 - now) / 1000)}`;
      return own.count <= most ? reply : { status: 429, headers: { 'Retry-After': seconds } };
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

/** The key that asks for a token. */
const keyIn = ({ path: requested, body }: Call): string | undefined =>
  requested.endsWith('/auth/token') ? `${/"apiKey":"[^"]*"/.exec(body)}` : undefined;

const providers: Readonly<Record<string, () => Partial<Behaviour>>> = {
  'ten tokens a minute for each key': () => limit(10, keyIn),
  'sixty requests a minute': () => limit(60, () => ''),
  'thirty endpoints that take 100 to 300 ms': () => thirty,
};

/** The gate at such a provider. @returns minutes, with the number of requests and of clauses with a verdict */
async function measure([name, hasClock, level]: Case): Promise<Measured> {
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

type Case = readonly [provider: string, clock: boolean, level: string[], most: number];

const cases: readonly Case[] = [
  ['ten tokens a minute for each key', false, [], 25],
  ['ten tokens a minute for each key', true, [], 30],
  ['ten tokens a minute for each key', false, ['--quick'], 2],
  ['sixty requests a minute', false, [], 25],
  ['sixty requests a minute', true, [], 30],
  ['sixty requests a minute', false, ['--quick'], 2],
  ['thirty endpoints that take 100 to 300 ms', false, [], 3],
  ['thirty endpoints that take 100 to 300 ms', false, ['--quick'], 0.5],
];

let started: Map<Case, Promise<Measured>> | undefined;

/** Rows that mostly wait for a limit start together, with the first of them. Any other has the machine alone. */
const measured = (one: Case): Promise<Measured> => {
  const waiting = cases.filter(([name]) => !name.startsWith('thirty'));
  if (!waiting.includes(one)) return measure(one);
  started ??= new Map(waiting.map((each) => [each, measure(each)]));
  return started.get(one) ?? measure(one);
};

const words = ([provider, clock, level]: Case): string =>
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
      measure: () => measured(one),
    },
  ]),
);
