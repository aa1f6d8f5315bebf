import type { MustId } from '../../contract/clauses.ts';
import type { Finding } from '../../contract/finding.ts';
import type { Check } from '../canary/canary.ts';
import type { CanaryResult } from '../canary/keeper.ts';
import { createPlaceKey, isControl } from '../round/plan.ts';
import { classifyProof, type Run } from '../round/run.ts';
import { keepPlaces, observe } from './facts.ts';
import { deriveStatus, isSilent, needed, type Plan } from './judge.ts';
import { withRun, withValue } from './speed.ts';
import type { CanaryCheckStatus, Counters, EndpointStatus, PlaceStatus, Status } from './status.ts';

/** How many checks of canaries are kept for the page. */
const maxChecks = 60;

/** The status after a run of a probe. @param inMaintenance then findings and missing answers do not count */
export function reduce(before: Status, run: Run, plan: Plan, inMaintenance = false): Status {
  const counts = !inMaintenance || isProof(run);
  const next = {
    ...withFigures(counts ? withPlace(before, run) : before, run),
    lastRoundAt: run.startedAt,
    counters: updateCounters(before.counters, run, counts),
  };
  return deriveStatus(before, next, plan, run.startedAt);
}

/** The status after a check of a canary. @param inMaintenance then findings do not count */
export function reduceCheck(
  before: Status,
  { check, evidence }: CanaryResult,
  plan: Plan,
  inMaintenance = false,
): Status {
  const { checks, counters } = before;
  const counted = inMaintenance && evidence?.findings.length !== 0 ? undefined : evidence;
  const next = {
    ...before,
    evidence: counted ? { ...before.evidence, [counted.clause]: counted } : before.evidence,
    checks: [toCheckStatus(check), ...checks].slice(0, maxChecks),
    counters: {
      ...counters,
      canaryChecks: increment(counters.canaryChecks, [`${check.phase} ${check.verdict}`]),
      findings: increment(counters.findings, listClauses(counted?.findings)),
    },
  };
  return deriveStatus(before, next, plan, check.at);
}

/**
 * Removes from a status what probes and endpoints have shown that are no longer configured. If they run again later,
 * an old failure must not count before their first new run.
 * @param at milliseconds since 1970
 */
export function applyPlan(before: Status, plan: Plan, at: number): Status {
  const keys = new Set(plan.places.map(({ key }) => key));
  const places = Object.fromEntries(Object.entries(before.places).filter(([key]) => keys.has(key)));
  const evidence = plan.hasCanaries ? before.evidence : {};
  const next = { ...before, places, evidence, ...keepPlaces(before, keys) };
  return deriveStatus(before, next, plan, at);
}

/** Answers that prove nothing do not change a verdict during maintenance either. */
const isProof = ({ result: { outcome, unproven } }: Run): boolean =>
  outcome === 'passed' && unproven === undefined;

function withPlace(status: Status, run: Run): Status {
  const { probe, endpoint, outcome, observations } = run.result;
  const key = createPlaceKey(probe, endpoint);
  const before = status.places[key];
  const unjudged = updateUnjudged(before, run);
  const place = {
    probe: probe.name,
    endpoint,
    at: run.startedAt,
    unjudged,
    ...(outcome === 'unreachable' && !isSilent(status, { unjudged }) && before?.result !== undefined
      ? { result: before.result, begun: before.begun }
      : updateResults(before, run)),
  };
  return {
    ...status,
    places: { ...status.places, [key]: place },
    ...observe(status, key, observations, run.startedAt),
  };
}

function updateUnjudged(before: PlaceStatus | undefined, run: Run): PlaceStatus['unjudged'] {
  const kind = classifyProof(run);
  if (kind === 'proof') return undefined;
  const { detail, unproven = '' } = run.result;
  const { runs = 0, reason: earlier } = before?.unjudged ?? {};
  if (kind === 'no answer') {
    const { reason = 'unavailable' } = run;
    const inRow = earlier === undefined ? 1 : Math.min(needed, runs + 1);
    return { runs: inRow, reason, detail: detail ?? reason };
  }
  const inRow = before === undefined || runs > 0 ? needed : 1;
  return { runs: earlier === undefined ? inRow : 1, detail: unproven };
}

/** What a place has shown after a run, which may be one part of a long list of requests. */
function updateResults(
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

/** @param counts whether the run counts, besides its requests */
function updateCounters(before: Counters, run: Run, counts: boolean): Counters {
  const { outcome, findings } = run.result;
  const after = { ...before, requests: run.processing.reduce(withValue, before.requests) };
  if (!counts) return after;
  const reasons = outcome === 'unreachable' && run.reason !== undefined ? [run.reason] : [];
  return {
    ...after,
    runs: increment(before.runs, [outcome]),
    unreachable: increment(before.unreachable, reasons),
    findings: increment(before.findings, listClauses(findings)),
  };
}

const listClauses = (findings: readonly Finding[] = []): MustId[] =>
  findings.map(({ clause }) => clause);

/** Adds one to the count of each of these keys, however often it is among them. */
const increment = <Counts extends Readonly<Partial<Record<string, number>>>>(
  counts: Counts,
  keys: readonly (keyof Counts & string)[],
): Counts => ({
  ...counts,
  ...Object.fromEntries(keys.map((key) => [key, (counts[key] ?? 0) + 1])),
});

const toCheckStatus = ({ at, age, admitted, verdict }: Check): CanaryCheckStatus => ({
  at,
  leastSeconds: age.least / 1000,
  mostSeconds: age.most === Infinity ? undefined : age.most / 1000,
  admitted,
  verdict,
});
