import type { MustId, OpenId } from '../../contract/clauses.ts';
import type { Probe } from '../../contract/probe.ts';
import { type Place, planPlaces } from '../../monitor/round/plan.ts';
import type { FailureReason, Run } from '../../monitor/round/run.ts';
import { targetAt } from './provider.ts';

/** A probe that is never run: only its outcomes matter. */
export const probeAbout = (
  name: string,
  clauses: readonly (MustId | OpenId)[],
  more: Partial<Probe> = {},
): Probe => ({
  name,
  clauses,
  scope: 'core',
  stage: 'present',
  everySeconds: 60,
  run: async () => {},
  ...more,
});

export const target = targetAt(new URL('http://127.0.0.1:1'));

export const placesFor = (probes: readonly Probe[]): Place[] => planPlaces(target, probes, 60);

export const phases = { resolve: 0, connect: 0.001, tls: 0, processing: 0.004, transfer: 0.002 };

export interface RunDetails {
  readonly endpoint?: string;
  readonly at?: number;
  readonly observed?: readonly (readonly [OpenId, string, string])[];
  readonly unproven?: string;
}

function run(
  probe: Probe,
  { endpoint = 'GET /public-api/v1/widgets', at = 1, ...message }: RunDetails,
): Run {
  const { observed = [], unproven } = message;
  return {
    startedAt: at,
    requests: 2,
    processing: [],
    result: {
      probe,
      endpoint,
      outcome: 'passed',
      findings: [],
      observations: observed.map(([id, fact, value]) => ({ id, fact, value })),
      durationSeconds: 0.0071,
      unproven,
    },
  };
}

export const kept = (probe: Probe, message: RunDetails = {}): Run => run(probe, message);

export function broken(probe: Probe, clause: MustId, message: RunDetails = {}): Run {
  const { result, ...rest } = run(probe, message);
  const finding = {
    clause,
    probe: probe.name,
    endpoint: result.endpoint,
    when: 'no token was sent',
    asked: result.endpoint,
    expected: '401 {"success":false,"message":"Invalid or expired access token."}',
    received: '200 application/json, 48 bytes <script>alert(1)</script>',
  };
  return {
    ...rest,
    reason: 'contract',
    result: { ...result, outcome: 'failed', findings: [finding] },
  };
}

export function unreachable(
  probe: Probe,
  reason: FailureReason = 'timeout',
  message: RunDetails = {},
): Run {
  const { result, ...rest } = run(probe, message);
  const detail = `${result.endpoint}: no complete answer in time (2000 ms)`;
  return { ...rest, reason, result: { ...result, outcome: 'unreachable', detail } };
}

export function defect(probe: Probe, message: RunDetails = {}): Run {
  const { result, ...rest } = run(probe, message);
  const detail = 'TypeError: a mistake\n    at somewhere (/folder/file.ts:1:1)';
  return { ...rest, reason: 'defect', result: { ...result, outcome: 'defect', detail } };
}
