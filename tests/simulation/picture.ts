import type { Status, TargetStatus } from '../../monitor/watch/status.ts';

/** What a restart must not change in the status of a target. */
export interface Picture {
  readonly [part: string]: unknown;
}

/**
 * What is known of each target, by its name, as JSON. Maintenance and the hours of the last two days are left out,
 * because they depend on the clock.
 */
export const pictureOf = ({ targets }: Status): Record<string, Picture> =>
  JSON.parse(JSON.stringify(Object.fromEntries(targets.map((one) => [one.name, of(one)]))));

function of(target: TargetStatus): Picture {
  const { state, since, clauses, probes, observations, failures, token } = target;
  return {
    state,
    since,
    clauses: clauses.map(({ id, verdict, since: from, reason, findings: found }) => {
      return { id, verdict, from, reason, found };
    }),
    // Phases exist only in the running process.
    probes: probes.map(({ name, last, runs }) => ({
      name,
      runs,
      last: last === undefined ? undefined : { ...last, phases: undefined },
    })),
    observations,
    failures: failures.map((one) => ({ ...one, phases: undefined })),
    token,
    // While an event lasts, its duration grows.
    events: target.events?.map(({ durationSeconds: _, ...event }) => event),
  };
}
