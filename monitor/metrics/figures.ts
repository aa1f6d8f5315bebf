import { isPhases } from '../../contract/http/answer.ts';
import { at, field, isObject, numberIn, textIn } from '../../contract/json-value.ts';
import { verdictNames } from '../../contract/round/verdict.ts';
import { details } from '../target/detail.ts';
import type { HttpFacts } from '../target/traced-client.ts';
import {
  type Expected,
  expectProbes,
  type Measured,
  mustIds,
  type ProbeRecord,
  type TargetRecord,
  targetRecord,
} from './record.ts';

/** All metrics of a target in JSON. From them its counters continue in another monitor, or after a restart. */
export function figuresOf(target: TargetRecord): object {
  const { labels: _, probes, counts, processing, certificate, ...rest } = target;
  const { sum, count, atMost } = processing;
  return {
    ...rest,
    counts: { endings: counts.endings, reasons: counts.reasons },
    processing: { sum, count, atMost: Object.fromEntries(atMost) },
    certificate: { earliestExpiry: certificate.earliestExpiry },
    probes: Object.fromEntries([...probes].map(([name, probe]) => [name, probeFigures(probe)])),
  };
}

function probeFigures({ labels: _, target: _target, measured, ...rest }: ProbeRecord): object {
  if (measured === undefined) return rest;
  const { probe: _probe, labels: _labels, counts, ...more } = measured;
  const { endings, reasons } = counts;
  return { ...rest, measured: { ...more, counts: { endings, reasons } } };
}

/** A record of these metrics alone, with the probes that they name; undefined if they are not valid. */
export function recordOf(name: string, figures: unknown): TargetRecord | undefined {
  const probes = field(figures, 'probes');
  const expected = expectedFrom(field(figures, 'expected'));
  if (!isObject(probes) || expected === undefined) return undefined;
  const target = targetRecord(name, expected);
  expectProbes(target, Object.keys(probes));
  restore(target, figures);
  return target;
}

function expectedFrom(value: unknown): Expected | undefined {
  const timeoutSeconds = numberIn(value, 'timeoutSeconds');
  if (timeoutSeconds === undefined) return undefined;
  return {
    timeoutSeconds,
    objectiveRatio: numberIn(value, 'objectiveRatio'),
    slowSeconds: numberIn(value, 'slowSeconds'),
    detail: details.find((one) => one === field(value, 'detail')),
  };
}

/** Restores valid metrics; the record keeps its own probes. */
export function restore(target: TargetRecord, figures: unknown): void {
  const { counts, violations, observationChanges, canaries, canaryChecks, processing } = target;
  fill({ counts, violations, observationChanges, canaries, canaryChecks, processing }, figures);
  target.slowRequests = numberIn(figures, 'slowRequests') ?? 0;
  target.unexpectedRejections = numberIn(figures, 'unexpectedRejections') ?? 0;
  target.clockOffsetSeconds = numberIn(figures, 'clockOffsetSeconds');
  target.inMaintenance = field(figures, 'inMaintenance') === true;
  for (const id of mustIds) {
    const known = verdictNames.find((one) => one === at(figures, 'verdicts', id));
    if (known !== undefined) target.verdicts[id] = known;
  }
  const lifetime = field(figures, 'lifetime');
  target.lifetime = {
    atLeastSeconds: numberIn(lifetime, 'atLeastSeconds'),
    atMostSeconds: numberIn(lifetime, 'atMostSeconds'),
  };
  target.certificate.earliestExpiry = numberIn(figures, 'certificate', 'earliestExpiry');
  for (const bound of processing.atMost.keys()) {
    const count = numberIn(figures, 'processing', 'atMost', `${bound}`);
    if (count !== undefined) processing.atMost.set(bound, count);
  }
  const probes = field(figures, 'probes');
  for (const [name, probe] of target.probes) restoreProbe(probe, field(probes, name));
}

function restoreProbe(probe: ProbeRecord, value: unknown): void {
  const last = field(value, 'last');
  const startedAt = numberIn(last, 'startedAt');
  const seconds = numberIn(last, 'durationSeconds');
  if (startedAt !== undefined && seconds !== undefined)
    probe.last = { startedAt, durationSeconds: seconds, success: field(last, 'success') === true };
  probe.lastKeptAt = numberIn(value, 'lastKeptAt');
  probe.consecutiveFailures = numberIn(value, 'consecutiveFailures') ?? 0;
  const measured = field(value, 'measured');
  if (probe.measured !== undefined && isObject(measured)) restoreMeasured(probe.measured, measured);
}

function restoreMeasured(measured: Measured, value: unknown): void {
  const { counts, allPhases } = measured;
  fill({ counts, allPhases }, value);
  measured.seconds = numberIn(value, 'seconds') ?? 0;
  measured.answered = numberIn(value, 'answered') ?? 0;
  measured.earliestExpiry = numberIn(value, 'earliestExpiry');
  const phases = field(value, 'phases');
  if (isPhases(phases)) measured.phases = phases;
  measured.http = httpFrom(field(value, 'http'));
}

function httpFrom(value: unknown): HttpFacts | undefined {
  const status = numberIn(value, 'status');
  const httpVersion = textIn(value, 'httpVersion');
  const tls = field(value, 'tls');
  const version = textIn(tls, 'version');
  const earliestExpiry = numberIn(tls, 'earliestExpiry');
  if (status === undefined || httpVersion === undefined) return undefined;
  const isTls = version !== undefined && earliestExpiry !== undefined;
  return {
    status,
    httpVersion,
    contentLength: numberIn(value, 'contentLength'),
    tls: isTls ? { version, earliestExpiry } : undefined,
  };
}

/** Sets each number of a record, at any depth, that the other record has too. */
function fill(record: object, from: unknown): void {
  for (const [name, before] of Object.entries(record)) {
    const value = numberIn(from, name);
    if (isObject(before)) fill(before, field(from, name));
    else if (typeof before === 'number' && value !== undefined)
      Object.assign(record, { [name]: value });
  }
}
