import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import type { Target } from '../../contract/round/target.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { targetAt } from '../../gate/under-test.ts';
import type { InteractionResult, Source, Verification } from '../../pacts/verification.ts';
import { type Core, startCore } from '../../pacts/verify/core.ts';
import { type Context, createPactReport, type PactReport } from '../../pacts/verify/report.ts';
import { type VerifyOptions, verify } from '../../pacts/verify/verify.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { type Answers, teamHandler } from './fake-server.ts';
import { type Json, pactOf, sourceOf } from './pact-builder.ts';

/** A fixed time, so that no verdict depends on the day of the test. */
const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);

/** What a test verifies pacts with, and how the sandbox differs from the correct one. */
export type Options = Omit<VerifyOptions, 'sources' | 'provider'> & {
  readonly provider?: Partial<Behaviour>;
  /** Changes the target. */
  readonly aim?: (target: Target) => Target;
  /** The provider team's state handler. */
  readonly handler?: Answers;
  /** Whether the run ends because of a defect of this suite. */
  readonly isDefective?: boolean;
};

export interface Verified extends Verification {
  readonly results: readonly InteractionResult[];
  /** `verified`, or `failed, because of this` if there is a reason or a likely cause, for each interaction. */
  readonly endings: readonly string[];
  /** What the state handler was asked for. */
  readonly changes: readonly string[];
}

let started: Core | undefined;

/** The core that the tests of a worker share. It ends with the worker's process. */
export function sharedCore(): Core {
  started ??= startCore();
  return started;
}

/** Verifies pacts against a provider of its own. @throws an unexpected defect of this suite, with its stack */
export async function verifying(
  sources: Source | readonly Source[],
  { provider = {}, aim = (target) => target, handler, isDefective, ...options }: Options = {},
): Promise<Verified> {
  await using sandbox = await startSandbox({ behaviour: { ...right, ...provider }, startAt });
  await using team = handler && (await teamHandler(handler));
  const run = await verify({
    core: sharedCore(),
    statesUrl: team?.url,
    ...options,
    sources: [sources].flat(),
    provider: { ...aim(targetAt(sandbox.baseUrl)), name: 'the provider' },
  });
  if (isDefective !== true && run.defect !== undefined) throw new Error(run.defect);
  const results = run.pacts.flatMap(({ interactions }) => interactions);
  const endings = results.map(endingOf);
  return { ...run, results, endings, changes: team?.changes ?? [] };
}

const endingOf = ({ ending, reason, likely }: InteractionResult): string =>
  [ending, reason ?? likely ?? []].flat().join(', ');

/** Interactions by their expected ending. One with `…` at its end is only the beginning of the real one. */
export interface Case extends Options {
  readonly endings: Readonly<Record<string, readonly Json[]>>;
  /** By default 1 if an interaction fails, and else 0. */
  readonly exit?: number;
  /** The requests for states. */
  readonly changes?: readonly string[];
}

/** Tests each run, by its name: its pact has these interactions in their order. */
export function testOutcomes(cases: Readonly<Record<string, Case>>): void {
  for (const [name, { endings, exit, changes, ...options }] of Object.entries(cases))
    test(name, async () => {
      const run = await verifying(pactOf(...Object.values(endings).flat()), options);
      const expected = Object.entries(endings).flatMap(([ending, all]) => all.map(() => ending));
      const code = exit ?? Number(expected.some((ending) => ending.startsWith('failed')));
      expect(run.endings, JSON.stringify(endings)).toEqual(
        expected.map((ending) =>
          ending.endsWith('…') ? expect.stringContaining(ending.slice(0, -1)) : ending,
        ),
      );
      expect(run).toMatchObject({ exit: code, unjudged: undefined, ...(changes && { changes }) });
    });
}

/** A report on a verification that took 1.234 s. */
export const reported = (run: Verification, context: Partial<Context> = {}): PactReport =>
  createPactReport(run, {
    startedAt: new Date(0),
    finishedAt: new Date(1234),
    again: 'npm run pact:verify --',
    notes: [],
    unpublished: false,
    exit: run.exit,
    ...context,
  });

/** The pact of the monitor, as it is committed. */
export const ownPact: Source = sourceOf(
  readFileSync(new URL('../../pacts/public-api-monitor-public-api.json', import.meta.url), 'utf8'),
);

/** A target whose time is real. */
export const withoutClock = ({ clock: _, ...target }: Target): Target => target;

/** Gives the target these credentials. */
export const withAccount =
  (apiKey: string, secretKey: string) =>
  (target: Target): Target => ({
    ...target,
    account: { apiKey: new Secret(apiKey), secretKey: new Secret(secretKey) },
  });

/** Ends a run by a defect of this suite. */
export const defective = {
  isDefective: true,
  onVisit: () => {
    throw new Error('::error::this state is broken');
  },
} satisfies Options;
