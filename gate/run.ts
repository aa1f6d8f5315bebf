import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { Settings } from '../config/settings.ts';
import type { Probe } from '../contract/probe.ts';
import type { ProbeResult } from '../contract/round/attempt.ts';
import { exclude } from '../contract/round/selection.ts';
import type { Level } from '../contract/round/target.ts';
import { createRunKey, type RoundFacts } from '../contract/round/verdict.ts';
import { probes } from '../probes/index.ts';
import { type ConfiguredTarget, targetFrom } from './under-test.ts';

/**
 * What the processes of a run share: Playwright's main process, in which the command, setup and reporter run, and its
 * worker, which judges. An environment variable holds it, which reaches every worker that starts later.
 */
interface Shared {
  /** Holds what outlives a worker. */
  readonly folder: string;
  readonly level: Level;
  /** Clauses and probes. */
  readonly exclude: readonly string[];
  readonly maxTimeMs?: number;
  /** The probes that the command line selects, by name: then nothing else is checked. */
  readonly selected?: readonly string[];
  /** Those whose tests have not ended. Only our reporter sets it, so without it nothing may depend on the reporter. */
  readonly remaining?: readonly string[];
  /** Whether what is violated now becomes known. */
  readonly updatesKnown?: boolean;
  /** The folder with specs of a team. */
  readonly specs?: string;
  /** The address of the sandbox that the setup has started. */
  readonly sandbox?: string;
}

const { env } = process;
const byDefault: Shared = { folder: '.', level: 'default', exclude: [] };

export const readShared = (): Shared => JSON.parse(env.GATE_RUN ?? JSON.stringify(byDefault));

export const shareWithWorkers = (facts: Partial<Shared>): void => {
  env.GATE_RUN = JSON.stringify({ ...readShared(), ...facts });
};

/** Whether our reporter takes part. */
export const isReported = (): boolean => readShared().remaining !== undefined;

/** The same objects at each call. */
let rest: ReturnType<typeof exclude> | undefined;

/** The probes of this run's level, without what it leaves out. @throws UserError for an unknown name */
export function probesOfRun() {
  const { level, exclude: words } = readShared();
  rest ??= exclude(probes, words);
  return level === 'quick' ? { ...rest, probes: rest.probes.filter(({ quick }) => quick) } : rest;
}

const probesNamed = (names?: readonly string[]): readonly Probe[] =>
  probesOfRun().probes.filter(({ name }) => names?.includes(name) ?? true);

/** The probes that the command line selects; by default all. */
export const selectedProbes = (): readonly Probe[] => probesNamed(readShared().selected);

/** Those whose tests have not ended, if our reporter takes part. */
export const remainingProbes = (): readonly Probe[] => probesNamed(readShared().remaining ?? []);

/** The provider that is judged: the configured one, or the sandbox that the setup has started. */
export function targetOfRun(settings: Settings): ConfiguredTarget {
  const { level, maxTimeMs, sandbox } = readShared();
  const { excluded } = probesOfRun();
  return { ...targetFrom(settings, sandbox), level, maxTimeMs, excluded };
}

/** The title of the Playwright test of a probe: `BEARER-2 a token in a cookie is refused`. */
export const formatTitle = ({ name, clauses }: Probe): string =>
  `${clauses.join(' ')} ${name.replaceAll('-', ' ')}`;

const factsFile = (): string => path.join(readShared().folder, 'facts.json');

/** Hands the facts to the reporter, or to the next worker. The clock has been released. */
export function writeFacts(facts: RoundFacts): void {
  const results = [...facts.results.values()].map((run) => ({ ...run, probe: run.probe.name }));
  writeFileSync(factsFile(), serialize({ ...facts, results }));
}

/** The facts of the workers so far; undefined if the last one has not ended in an orderly way. */
export function readFacts(): RoundFacts | undefined {
  if (!existsSync(factsFile())) return undefined;
  const { results, ...facts } = deserialize(readFileSync(factsFile()));
  const runs = results.map((run: { probe: string }) => ({
    ...run,
    probe: probesNamed([run.probe])[0],
  }));
  return { ...facts, results: new Map(runs.map((run: ProbeResult) => [createRunKey(run), run])) };
}

/** The facts of the workers before this one. */
export function takeFacts(): RoundFacts | undefined {
  const facts = readFacts();
  rmSync(factsFile(), { force: true });
  return facts;
}
