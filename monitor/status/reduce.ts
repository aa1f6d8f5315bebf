import type { Finding } from '../../contract/finding.ts';
import type { Check } from '../canary/canary.ts';
import type { CanaryResult } from '../canary/keeper.ts';
import { isControl, keyOf } from '../round/plan.ts';
import { gotBy, type Run } from '../round/run.ts';
import { factsOf, observe } from './facts.ts';
import { isSilent, needed, type Plan, restated } from './judge.ts';
import { counted, withRun } from './speed.ts';
import type { CanaryCheckStatus, Counters, EndpointStatus, PlaceStatus, Status } from './status.ts';

/** What a round has shown. */
export interface Shown {
  /** When it began: milliseconds since 1970. */
  readonly at: number;
  readonly runs: readonly Run[];
  /** Whether there is maintenance: then findings and missing answers do not count. */
  readonly inMaintenance?: boolean;
}

/** How many checks of canaries are kept for the page. */
const mostChecks = 60;

/** The status after a round. */
export function reduce(before: Status, shown: Shown, plan: Plan): Status {
  const counting = shown.runs.filter((run) => shown.inMaintenance !== true || isProof(run));
  const after = counting.reduce(withPlace, before);
  const next = {
    ...shown.runs.reduce(withFigures, after),
    lastRoundAt: shown.at,
    counters: countersAfter(before.counters, shown, counting),
  };
  return restated(before, next, plan, shown.at);
}

/** The status after a check of a canary. @param inMaintenance then findings do not count */
export function reduceCheck(
  before: Status,
  { check, evidence }: CanaryResult,
  plan: Plan,
  inMaintenance = false,
): Status {
  const { checks, counters } = before;
  const key = `${check.phase} ${check.verdict}` as const;
  const shown = inMaintenance && evidence?.findings.length !== 0 ? undefined : evidence;
  const next = {
    ...before,
    evidence: shown ? { ...before.evidence, [shown.clause]: shown } : before.evidence,
    checks: [statusOfCheck(check), ...checks].slice(0, mostChecks),
    counters: {
      ...counters,
      canaryChecks: { ...counters.canaryChecks, [key]: (counters.canaryChecks[key] ?? 0) + 1 },
      findings: withFindings(counters.findings, shown?.findings ?? []),
    },
  };
  return restated(before, next, plan, check.at);
}

/**
 * The status of a target as it is configured now: what other probes and endpoints have shown does not count. If they
 * run again later, an old failure must not count before their first new run.
 * @param at milliseconds since 1970
 */
export function replanned(before: Status, plan: Plan, at: number): Status {
  const keys = new Set(plan.places.map(({ key }) => key));
  const places = Object.fromEntries(Object.entries(before.places).filter(([key]) => keys.has(key)));
  const evidence = plan.hasCanaries ? before.evidence : {};
  return restated(before, { ...before, places, evidence, ...factsOf(before, keys) }, plan, at);
}

/** Answers that prove nothing do not change a verdict during maintenance either. */
const isProof = ({ result: { outcome, unproven } }: Run): boolean =>
  outcome === 'passed' && unproven === undefined;

function withPlace(status: Status, run: Run): Status {
  const { probe, endpoint, outcome, observations } = run.result;
  const key = keyOf(probe, endpoint);
  const before = status.places[key];
  const unjudged = unjudgedAfter(before, run);
  const place = {
    probe: probe.name,
    endpoint,
    at: run.startedAt,
    unjudged,
    ...(outcome === 'unreachable' && !isSilent(status, { unjudged }) && before?.result !== undefined
      ? { result: before.result, begun: before.begun }
      : resultsAfter(before, run)),
  };
  return {
    ...status,
    places: { ...status.places, [key]: place },
    ...observe(status, key, observations, run.startedAt),
  };
}

function unjudgedAfter(before: PlaceStatus | undefined, run: Run): PlaceStatus['unjudged'] {
  const got = gotBy(run);
  if (got === 'proof' || got === 'no request') return undefined;
  const { detail, unproven = '' } = run.result;
  const { runs = 0, reason: earlier } = before?.unjudged ?? {};
  if (got === 'no answer') {
    const { reason = 'unavailable' } = run;
    const inRow = earlier === undefined ? 1 : Math.min(needed, runs + 1);
    return { runs: inRow, reason, detail: detail ?? reason };
  }
  const inRow = before === undefined || runs > 0 ? needed : 1;
  return { runs: earlier === undefined ? inRow : 1, detail: unproven };
}

/** What a place has shown after a run, which may be one part of a long list of requests. */
function resultsAfter(
  before: PlaceStatus | undefined,
  run: Run,
): Pick<PlaceStatus, 'result' | 'begun'> {
  const { outcome, detail, unproven, findings, nextRow } = run.result;
  const { result, begun } = before ?? {};
  // A part without an answer, or with a defect, is sent again.
  if (begun !== undefined && outcome !== 'passed' && outcome !== 'failed') return { result, begun };
  const all = {
    outcome: begun?.outcome === 'failed' ? begun.outcome : outcome,
    reason: begun?.reason ?? run.reason,
    detail: begun?.detail ?? detail,
    unproven: begun?.unproven ?? unproven,
    doubts: run.result.doubts,
    findings: [...(begun?.findings ?? []), ...findings],
  };
  if (nextRow === undefined) return { result: all };
  // A finding counts at once; that nothing was found counts only after the last part.
  return { result: all.findings.length > 0 ? all : result, begun: { ...all, nextRow } };
}

/** The control of each endpoint, the certificate and the provider's clock. */
function withFigures(status: Status, run: Run): Status {
  const { result, authorised, startedAt: at } = run;
  const { tls: certificate = status.certificate, clockOffsetSeconds = status.clockOffsetSeconds } =
    run;
  const next = { ...status, clockOffsetSeconds, certificate };
  if (!isControl(result)) return next;
  const { endpoint, outcome, durationSeconds } = result;
  const phases = authorised?.phases;
  const seconds = phases && phases.processing + phases.transfer;
  const last = { at, outcome, durationSeconds, status: 0, isTls: false, ...authorised };
  const halfHours = status.endpoints[endpoint]?.halfHours ?? [];
  const kind = outcome === 'defect' ? 'failed' : outcome;
  const control: EndpointStatus = { last, halfHours: withRun(halfHours, at, kind, seconds) };
  return { ...next, endpoints: { ...status.endpoints, [endpoint]: control } };
}

function countersAfter(before: Counters, { runs }: Shown, counting: readonly Run[]): Counters {
  const after = {
    ...before,
    runs: { ...before.runs },
    unreachable: { ...before.unreachable },
    findings: counting.reduce(
      (all, { result }) => withFindings(all, result.findings),
      before.findings,
    ),
    requests: runs.flatMap(({ processing }) => processing).reduce(counted, before.requests),
  };
  for (const { result, reason } of counting) {
    after.runs[result.outcome] += 1;
    if (result.outcome === 'unreachable' && reason !== undefined)
      after.unreachable[reason] = (after.unreachable[reason] ?? 0) + 1;
  }
  return after;
}

function withFindings(before: Counters['findings'], findings: readonly Finding[]) {
  const after = { ...before };
  for (const id of new Set(findings.map(({ clause }) => clause))) after[id] = (after[id] ?? 0) + 1;
  return after;
}

const statusOfCheck = ({ at, age, admitted, verdict }: Check): CanaryCheckStatus => ({
  at,
  leastSeconds: age.least / 1000,
  mostSeconds: age.most === Infinity ? undefined : age.most / 1000,
  admitted,
  verdict,
});
