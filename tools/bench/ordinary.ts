import { mkdtempDisposable, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { naming } from '../../tests/gate/process.ts';
import { thirtyEndpoints, withThirtyEndpoints } from './gate.ts';
import { run, starting } from './processes.ts';
import type { Measured, Row, Rows } from './table.ts';

/*
 * The gate at providers as an ordinary team has them: with a limit, or with thirty endpoints that take their time.
 */

/** The provider answers so many requests of one caller in a minute. @param callerOf undefined if one does not count */
function limited(most: number, callerOf: (call: Call) => string | undefined): Behaviour {
  const windows = new Map<string, { began: number; count: number }>();
  const finish: Behaviour['finish'] = (reply, call) => {
    const caller = callerOf(call);
    if (caller === undefined) return reply;
    const now = Date.now();
    const last = windows.get(caller);
    const own = last && now - last.began < 60_000 ? last : { began: now, count: 0 };
    windows.set(caller, own);
    own.count += 1;
    const seconds = `${Math.ceil((own.began + 60_000 - now) / 1000)}`;
    return own.count <= most ? reply : { status: 429, headers: { 'Retry-After': seconds } };
  };
  return { ...right, finish };
}

/** The key that asks for a token. */
const keyIn = ({ path: requested, body }: Call): string | undefined =>
  requested.endsWith('/auth/token') ? `${/"apiKey":"[^"]*"/.exec(body)}` : undefined;

type Clock = 'with' | 'without';

/** The provider, its test clock, the level, and the most minutes that the gate may take. */
type Case = readonly [provider: keyof typeof providers, Clock, level: string, most: number];

const providers = {
  'ten tokens a minute for each key': () => limited(10, keyIn),
  'sixty requests a minute': () => limited(60, () => ''),
  'thirty endpoints that take 100 to 300 ms': (): Behaviour => ({
    ...withThirtyEndpoints,
    arrived: () => 100 + Math.random() * 200,
  }),
};

const cases: readonly Case[] = [
  ['ten tokens a minute for each key', 'without', '', 25],
  ['ten tokens a minute for each key', 'with', '', 30],
  ['ten tokens a minute for each key', 'without', '--quick', 2],
  ['sixty requests a minute', 'without', '', 25],
  ['sixty requests a minute', 'with', '', 30],
  ['sixty requests a minute', 'without', '--quick', 2],
  ['thirty endpoints that take 100 to 300 ms', 'without', '', 3],
  ['thirty endpoints that take 100 to 300 ms', 'without', '--quick', 0.5],
];

const isWaiting = ([provider]: Case): boolean => !provider.startsWith('thirty');

/** The gate at such a provider. @returns minutes, with the number of requests and of clauses with a verdict */
async function measure(one: Case): Promise<Measured> {
  const [provider, clock, level] = one;
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), 'bench-'));
  await using sandbox = await startSandbox({ behaviour: providers[provider]() });
  const { PUBLIC_API_CLOCK_URL, ...env } = naming(sandbox);
  const seconds = await run(folder.path, {
    args: [...starting('gate/main.ts'), ...(level === '' ? [] : [level])],
    env: {
      ...env,
      ...(clock === 'with' && { PUBLIC_API_CLOCK_URL }),
      ...(isWaiting(one) ? {} : { PUBLIC_API_ENDPOINTS: thirtyEndpoints }),
    },
  });
  const report = JSON.parse(await readFile(path.join(folder.path, 'reports/gate.json'), 'utf8'));
  const held = report.clauses.filter(({ verdict }: { verdict: string }) => verdict === 'holds');
  const note = `${report.requests} requests, ${held.length} of ${report.clauses.length} clauses held`;
  return { value: seconds / 60, note };
}

const started = new Map<Case, Promise<Measured>>();

/** Rows that mostly wait for a limit start together, with the first of them. Any other has the machine alone. */
function measured(one: Case): Promise<Measured> {
  if (!isWaiting(one)) return measure(one);
  if (started.size === 0)
    for (const each of cases.filter(isWaiting)) started.set(each, measure(each));
  return started.get(one) ?? measure(one);
}

/** Rows of the table in gate/README.md. */
export const ofOrdinaryTeams: Rows = Object.fromEntries(
  cases.map((one, index): [string, Row] => {
    const [provider, clock, level, most] = one;
    const what = `${provider}, ${clock} a test clock${level && `, ${level}`}`;
    const page = new URL('../../gate/README.md', import.meta.url);
    return [
      `ordinary/${index + 1}`,
      { what, unit: 'min', most, page, measure: () => measured(one) },
    ];
  }),
);
