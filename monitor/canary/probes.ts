import type { MustId } from '../../contract/clauses.ts';
import type { Probe } from '../../contract/probe.ts';
import type { RunPlace } from '../round/plan.ts';
import type { WatchedTarget } from '../round/watched-target.ts';

/** What canaries prove, as probe names: a decisive check is reported as a run of one of these probes. */
export const canaryProbes = {
  lives: proof('a-canary-lives-for-24-hours', 'EXPIRY-1'),
  dies: proof('a-canary-dies-after-24-hours', 'EXPIRY-2'),
  stays: proof('a-dead-canary-stays-dead', 'EXPIRY-5'),
};

export type Proof = (typeof canaryProbes)[keyof typeof canaryProbes];

/** The places of canary runs. The first result takes a day, so the target's status does not wait for it. */
export const canaryPlaces = ({ canaries, endpoints: [first] }: WatchedTarget): RunPlace[] =>
  canaries === 'off'
    ? []
    : Object.values(canaryProbes).map((probe) => ({ probe, endpoint: first, unhurried: true }));

function proof(name: string, clause: MustId): Probe {
  const run = (): never => {
    throw new Error(`${name} is not run: canaries are checked on their ladder`);
  };
  return { name, clauses: [clause], scope: 'service', stage: 'present', run };
}
