import { environmentOf } from '../../config/settings.ts';
import { counts, errorsIn, failuresIn, having } from '../../contract/report/contract-report.ts';
import { type Item, type Mark, markAt, type Report } from '../../contract/report/report.ts';
import { cost, firstLine } from '../../contract/report/words.ts';
import type { Round } from '../../contract/round/verdict.ts';
import type { Run } from '../round/run.ts';
import type { TargetRound } from './round.ts';

/**
 * The report on a round on one target: each run, its findings, and the verdict.
 * @param alone whether it is the only target, so that a repetition does not need its name
 */
export function probeReport(
  round: TargetRound,
  { alone, tookSeconds }: { readonly alone: boolean; readonly tookSeconds: number },
): Report {
  const { target, runs, clauses, startedAt, requests, exit, unjudged } = round;
  const again = `${environmentOf('probe')}npm run probe --${alone ? '' : ` --target ${target.name}`}`;
  const reported: Round = { ...round, results: runs.map(({ result }) => result) };
  // If no run has a result, for one reason, that reason is the whole report.
  const isSilent = unjudged !== undefined && runs.every(({ result }) => result.detail === unjudged);
  const verdicts = [
    having(clauses, 'holds') === 0 ? 'No clause could be verified' : 'No clause violated',
    having(clauses, 'violated') === 0 ? 'A payload is not as its schema says' : 'Contract violated',
    unjudged === undefined
      ? 'Not verified, which --strict refuses'
      : `${target.name} could not be judged${isSilent ? '' : ' completely'}: ${firstLine(unjudged)}`,
    'This suite has a defect',
  ] as const;
  const byEndpoint = [...Map.groupBy(runs, ({ result }) => result.endpoint)];
  const isNamed = target.endpoints.length > 1;
  const sections = [
    ...byEndpoint.map(([endpoint, own]) => ({
      ...(isNamed ? { heading: endpoint } : {}),
      items: own.map(runItem),
    })),
    { items: unverified(reported) },
  ];
  return {
    file: '--json',
    target: target.name,
    startedAt,
    tookSeconds,
    // A single round never verifies everything, so only prevented clauses change the mark.
    mark: exit === 0 && having(clauses, 'prevented') > 0 ? 'prevented' : markAt(exit),
    closing: [verdicts[exit], ...(isSilent ? [] : [counts(clauses)]), cost(requests, tookSeconds)],
    notes: [],
    sections: isSilent ? [] : sections,
    failures: isSilent ? [] : failuresIn(reported, again),
    errors: errorsIn(reported, target.name),
    suites: [],
  };
}

const marks = {
  passed: 'holds',
  failed: 'violated',
  unreachable: 'prevented',
  defect: 'prevented',
} as const satisfies Record<Run['result']['outcome'], Mark>;

/** A run with its duration, the clauses that it found violated, and why it proves nothing or failed without one. */
function runItem({ result }: Run): Item {
  const { probe, outcome, findings, unproven, detail, durationSeconds } = result;
  const reason = detail === undefined ? unproven : firstLine(detail);
  return {
    mark: outcome === 'passed' && unproven !== undefined ? 'prevented' : marks[outcome],
    label: `${duration(durationSeconds).padStart(8)}  `,
    text: probe.name,
    note: [...new Set(findings.map(({ clause }) => clause))].join(', '),
    ...(reason === undefined ? {} : { reason }),
  };
}

const duration = (seconds: number): string =>
  seconds < 1 ? `${(seconds * 1000).toFixed(1)} ms` : `${seconds.toFixed(1)} s`;

/** Clauses that could not be verified, grouped by reason. */
function unverified({ clauses }: Round): Item[] {
  const open = clauses.filter(({ verdict }) => verdict === 'unverified');
  return [...Map.groupBy(open, ({ reason = '' }) => reason)].map(([reason, same]) => ({
    mark: same.some(({ cause }) => cause === 'prevented') ? 'prevented' : 'unverified',
    label: '',
    text: `${same.map(({ clause }) => clause.id).join(', ')}: ${reason}`,
  }));
}
