import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Settings } from '../config/settings.ts';
import type { Probe } from '../contract/probe.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import { exclude, type Rest } from '../contract/round/selection.ts';
import type { Level } from '../contract/round/target.ts';
import { keyOf, type RoundFacts } from '../contract/round/verdict.ts';
import { probes } from '../probes/index.ts';
import { targetAt } from './own-sandbox.ts';
import { type NamedTarget, targetFrom } from './under-test.ts';

/*
 * What the processes of a run share: Playwright's main process, in which the command, setup and reporter run, and its
 * worker, which judges. Variables reach every worker that starts later, and a folder holds what outlives a worker.
 */

/** The scratch folder. */
export const folderVariable = 'GATE_FOLDER';
/** The socket file on which the setup has started a sandbox. */
export const sandboxVariable = 'GATE_SANDBOX';
/** The probes that the command line selects, by name. */
export const selectedVariable = 'GATE_PROBES';
/** The probes whose tests have not ended. Only our reporter sets it, so without it nothing may depend on the reporter. */
export const remainingVariable = 'GATE_REMAINING';

/** What the command line says of the extent: JSON. */
export const extentVariable = 'GATE_EXTENT';

/** The level of a run, what it leaves out, and how long it may take. */
interface RunExtent {
  readonly level: Level;
  /** Clauses and probes. */
  readonly exclude: readonly string[];
  /** Milliseconds. */
  readonly maxTimeMs?: number;
}

const extent = (): RunExtent =>
  JSON.parse(process.env[extentVariable] ?? '{"level":"default","exclude":[]}');

let rest: Rest | undefined;

/** The probes of this run's level, without what it leaves out. @throws UserError for an unknown name */
export function probesOfRun(): Rest {
  const { level, exclude: words } = extent();
  const ofLevel = level === 'quick' ? probes.filter(({ quick }) => quick) : probes;
  rest ??= exclude(ofLevel, words);
  return rest;
}

/** The probes that a variable names; undefined if it is not set. */
export function probesIn(variable: string): readonly Probe[] | undefined {
  const names = process.env[variable]?.split(' ');
  return names && probesOfRun().probes.filter(({ name }) => names.includes(name));
}

export const setProbes = (variable: string, those: readonly Probe[]): void => {
  process.env[variable] = those.map(({ name }) => name).join(' ');
};

/** The provider that is judged: the configured one, or the sandbox that the setup has started. */
export function targetOfRun(settings: Settings): NamedTarget {
  const { level, maxTimeMs } = extent();
  const { [sandboxVariable]: socketPath } = process.env;
  const sandbox = socketPath === undefined ? undefined : targetAt(socketPath);
  const { name, target } = targetFrom(settings, sandbox);
  return { name, target: { ...target, level, maxTimeMs, excluded: probesOfRun().excluded } };
}

/** The title of the Playwright test of a probe: `BEARER-2 a token in a cookie is refused`. */
export const titleOf = ({ name, clauses }: Probe): string =>
  `${clauses.join(' ')} ${name.replaceAll('-', ' ')}`;

/** What a worker found out about the provider. */
export interface WorkerFacts extends RoundFacts {
  /** A defect of this suite that ended the round: its stack. */
  readonly defect?: string;
}

const fileIn = (name: string): string => path.join(process.env[folderVariable] ?? '.', name);

/** Exists while a worker may have stopped the provider's clock. */
export const clockMark = (): string => fileIn('clock-may-be-stopped');

export const markClock = (): void => writeFileSync(clockMark(), '');

/** Hands the facts to the reporter, or to the next worker. The clock has been released. */
export function writeFacts(facts: WorkerFacts): void {
  const results = [...facts.results.values()].map((run) => ({ ...run, probe: run.probe.name }));
  writeFileSync(fileIn('facts.json'), JSON.stringify({ ...facts, results }));
  rmSync(clockMark(), { force: true });
}

/** The facts of the workers so far; undefined if none has ended in an orderly way. */
export function readFacts(): WorkerFacts | undefined {
  if (!existsSync(fileIn('facts.json'))) return undefined;
  const { results, ...facts } = JSON.parse(readFileSync(fileIn('facts.json'), 'utf8'));
  const named = new Map(probesOfRun().probes.map((probe) => [probe.name, probe]));
  const runs = results.map((run: { probe: string }) => ({ ...run, probe: named.get(run.probe) }));
  return {
    ...facts,
    startedAt: new Date(facts.startedAt),
    finishedAt: new Date(facts.finishedAt),
    results: new Map(runs.map((run: ProbeResult) => [keyOf(run), run])),
  };
}
