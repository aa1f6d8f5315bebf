import { mkdtempDisposable, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { naming } from '../../tests/gate/process.ts';
import { thirtyEndpoints, withThirtyEndpoints } from './gate.ts';
import { nodeArguments, run } from './processes.ts';
import type { Measured, Row, Rows } from './table.ts';

/*
 * The gate at providers as an ordinary team has them: with a limit, or with thirty endpoints that take their time.
 */

/** A provider that limits the requests of each caller in a minute. @param findCaller undefined if a request does not count */
function limitRequests(max: number, findCaller: (call: Call) => string | undefined): Behaviour {
  const windows = new Map<string, { began: number; count: number }>();
  const finish: Behaviour['finish'] = (reply, call) => {
    const caller = findCaller(call);
    if (caller === undefined) return reply;
    const now = Date.now();
    const last = windows.get(caller);
    const window = last && now - last.began < 60_000 ? last : { began: now, count: 0 };
    windows.set(caller, window);
    window.count += 1;
    const seconds = `${Math.ceil((window.began + 60_000 - now) / 1000)}`;
    return window.count <= max ? reply : { status: 429, headers: { 'Retry-After': seconds } };
  };
  return { ...right, finish };
}

/** The key that asks for a token. */
const findKey = ({ path: requested, body }: Call): string | undefined =>
  requested.endsWith('/auth/token') ? `${/"apiKey":"[^"]*"/.exec(body)}` : undefined;

type Clock = 'with' | 'without';

/** The provider, its test clock, the level, and the most minutes that the gate may take. */
type Case = readonly [provider: keyof typeof providers, Clock, level: string, max: number];

const providers = {
  'ten tokens a minute for each key': () => limitRequests(10, findKey),
  'sixty requests a minute': () => limitRequests(60, () => ''),
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
async function measure(benchCase: Case): Promise<Measured> {
  const [provider, clock, level] = benchCase;
  await using folder = await mkdtempDisposable(path.join(os.tmpdir(), 'bench-'));
  await using sandbox = await startSandbox({ behaviour: providers[provider]() });
  const { PUBLIC_API_CLOCK_URL, ...env } = naming(sandbox);
  const seconds = await run(folder.path, {
    args: [...nodeArguments('gate/main.ts'), ...(level === '' ? [] : [level])],
    env: {
      ...env,
      ...(clock === 'with' && { PUBLIC_API_CLOCK_URL }),
      ...(isWaiting(benchCase) ? {} : { PUBLIC_API_ENDPOINTS: thirtyEndpoints }),
    },
  });
  const report = JSON.parse(await readFile(path.join(folder.path, 'reports/gate.json'), 'utf8'));
  const held = report.clauses.filter(({ verdict }: { verdict: string }) => verdict === 'holds');
  const note = `${report.requests} requests, ${held.length} of ${report.clauses.length} clauses held`;
  return { value: seconds / 60, note };
}

const started = new Map<Case, Promise<Measured>>();

/** Rows that mostly wait for a limit start together, with the first of them. Any other has the machine alone. */
function measureTogether(benchCase: Case): Promise<Measured> {
  if (!isWaiting(benchCase)) return measure(benchCase);
  if (started.size === 0)
    for (const each of cases.filter(isWaiting)) started.set(each, measure(each));
  return started.get(benchCase) ?? measure(benchCase);
}

/** Rows of the table in gate/README.md. */
export const ordinaryRows: Rows = Object.fromEntries(
  cases.map((benchCase, index): [string, Row] => {
    const [provider, clock, level, max] = benchCase;
    const what = `${provider}, ${clock} a test clock${level && `, ${level}`}`;
    const page = new URL('../../gate/README.md', import.meta.url);
    return [
      `ordinary/${index + 1}`,
      { what, unit: 'min', max, page, measure: () => measureTogether(benchCase) },
    ];
  }),
);
