import { isDeepStrictEqual } from 'node:util';
import { expect } from '@playwright/test';
import type { MustId } from '../../contract/clauses.ts';
import type { Probe } from '../../contract/probe.ts';
import { type Change, changesBetween } from '../../monitor/log.ts';
import { planPlaces } from '../../monitor/round/plan.ts';
import type { Run } from '../../monitor/round/run.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import type { Plan } from '../../monitor/status/judge.ts';
import { applyPlan, reduce } from '../../monitor/status/reduce.ts';
import { newStatus, restoreStatus, type Status } from '../../monitor/status/status.ts';
import { target } from './runs.ts';

export const fresh = newStatus(target.name, target.connection.origin.href, 0);

export const planFor = (
  probes: readonly Probe[],
  endpoints: WatchedTarget['endpoints'] = target.endpoints,
): Plan => ({
  places: planPlaces({ ...target, endpoints }, probes, 60),
  probes,
  hasCanaries: false,
});

/** What the monitor knows after a restart: it has read this status from its file. */
export const restarted = (status: Status, plan: Plan, at = status.since): Status =>
  applyPlan(restoreStatus(plain(status), fresh), plan, at);

const plain = (status: Status): unknown => JSON.parse(JSON.stringify(status));

/** `state holds`, `BEARER-1 violated`, `OPEN-1 201`. */
const brief = ({ event, state, clause, verdict, id, value }: Change): string => {
  if (event === 'state') return `state ${state}`;
  return event === 'verdict' ? `${clause} ${verdict}` : `${id} ${value}`;
};

/** The status of a target with these probes, run after run. The monitor restarts after each, which changes nothing. */
export function reducing(plan: Plan, status = fresh) {
  let now = status;
  return {
    status: (): Status => now,
    verdict: (id: MustId) => now.clauses[id],
    /** @returns what these runs have changed, in short */
    take(runs: Run | readonly Run[], inMaintenance = false): string[] {
      return [runs].flat().flatMap((run) => {
        const next = reduce(now, run, plan, inMaintenance);
        const changes = changesBetween(now, next);
        now = restarted(next, plan, run.startedAt + 1);
        expect(isDeepStrictEqual(plain(now), plain(next)), 'a restart changes something').toBe(
          true,
        );
        return changes.map(brief);
      });
    },
  };
}
