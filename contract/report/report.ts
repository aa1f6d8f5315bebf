import { mustHold } from '../clauses.ts';
import type { Finding, Observation } from '../finding.ts';
import { type Endpoint, endpointName } from '../http/request.ts';
import { remembering } from '../remembering.ts';
import type { ProbeResult } from '../round/attempt.ts';
import type { Round } from '../round/round.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import { printable } from '../secrets/printable.ts';
import { type Level, levelAt } from './level.ts';
import { count, firstLine } from './words.ts';

/** A check of a team beside the clauses. */
export interface Check {
  readonly title: string;
  /** `checks/orders.spec.ts:12` */
  readonly place: string;
  readonly verdict: ClauseVerdict['verdict'];
  readonly findings: readonly string[];
}

/** What a report needs beside the round. */
export interface Context {
  /** The base address as it may be shown, or `sandbox`. */
  readonly target: string;
  readonly endpoints: readonly Endpoint[];
  /** The command to run again; a clause's id is appended. */
  readonly again: string;
  readonly tookSeconds: number;
  /** Whether an unverified clause makes the round fail. */
  readonly strict?: boolean;
  readonly checks?: readonly Check[];
}

/**
 * A finished round as every format shows it. Formats get nothing else, so no secret and no control character can
 * reach them.
 */
export interface Report extends Omit<Round, 'scrub'> {
  readonly target: string;
  /** `GET /public-api/v1/widgets`, as outcomes and findings name them. */
  readonly endpoints: readonly string[];
  readonly again: string;
  readonly tookSeconds: number;
  readonly strict: boolean;
  readonly checks: readonly Check[];
  /** The outcomes that are defects of ours. */
  readonly defects: readonly ProbeResult[];
}

/** Removes remaining secrets and control characters from every text of a round. */
export function reportOf(round: Round, context: Context): Report {
  const texts = new CleanTexts((text) => printable(round.scrub(text)));
  const { clean } = texts;
  const results = round.results.map((result) => texts.result(result));
  const { checks = [] } = context;
  const isBroken = checks.some(({ verdict }) => verdict === 'violated');
  return {
    target: clean(context.target),
    endpoints: context.endpoints.map((endpoint) => clean(endpointName(endpoint))),
    again: clean(context.again),
    tookSeconds: context.tookSeconds,
    strict: context.strict === true,
    startedAt: round.startedAt,
    finishedAt: round.finishedAt,
    exit: isBroken && round.exit !== 3 ? 1 : round.exit,
    checks: checks.map(({ findings, ...check }) => ({
      ...check,
      findings: findings.map((text) => text.split('\n').map(clean).join('\n')),
    })),
    unjudged: round.unjudged && clean(firstLine(round.unjudged)),
    requests: round.requests,
    noise: round.noise,
    clauses: round.clauses.map((verdict) => ({
      ...verdict,
      findings: verdict.findings.map((finding) => texts.finding(finding)),
      reason: verdict.reason && clean(verdict.reason),
    })),
    results,
    observations: round.observations.map((one) => texts.observation(one)),
    defects: results.filter(({ outcome }) => outcome === 'defect'),
  };
}

/** Parts of a round whose texts may be shown. */
class CleanTexts {
  readonly clean: (text: string) => string;

  constructor(clean: (text: string) => string) {
    // The same few texts appear in thousands of findings.
    this.clean = remembering(clean);
  }

  finding(finding: Finding): Finding {
    return {
      ...finding,
      endpoint: this.clean(finding.endpoint),
      when: this.clean(finding.when),
      asked: this.clean(finding.asked),
      expected: this.clean(finding.expected),
      received: this.clean(finding.received),
      seen: finding.seen && this.clean(finding.seen),
      body: finding.body && this.clean(finding.body),
      curl: finding.curl && this.#command(finding.curl),
    };
  }

  /** Without the removed part it would be a different command. */
  #command(line: string): string | undefined {
    return this.clean(line) === line ? line : undefined;
  }

  observation({ id, fact, value }: Observation): Observation {
    return { id, fact: this.clean(fact), value: this.clean(value) };
  }

  result(result: ProbeResult): ProbeResult {
    return {
      ...result,
      endpoint: this.clean(result.endpoint),
      findings: result.findings.map((finding) => this.finding(finding)),
      observations: result.observations.map((one) => this.observation(one)),
      unproven: result.unproven && this.clean(result.unproven),
      detail: this.#detail(result),
    };
  }

  /** A stack keeps its line breaks, because it comes from this suite. */
  #detail({ outcome, detail }: ProbeResult): string | undefined {
    if (detail === undefined || outcome !== 'defect') return detail && this.clean(detail);
    return detail.split('\n').map(this.clean).join('\n');
  }
}

/** How many clauses have each verdict, and how many of the unverified ones were prevented. */
export function tally({ clauses }: Report) {
  const count = (wanted: ClauseVerdict['verdict']): number =>
    clauses.filter(({ verdict }) => verdict === wanted).length;
  return {
    holds: count('holds'),
    violated: count('violated'),
    unverified: count('unverified'),
    prevented: clauses.filter(({ cause }) => cause === 'prevented').length,
  };
}

/** From this share of unverified clauses on, a round is not shown as a success: a tick would claim too much. */
const muchUnverified = 1 / 4;

/** A warning is a provider that could not be judged, or a success with too little evidence. */
export function levelOf(report: Report): Level {
  if (report.exit !== 0) return levelAt(report.exit);
  const { unverified, prevented } = tally(report);
  const much = unverified > 0 && unverified >= muchUnverified * report.clauses.length;
  return prevented > 0 || much ? 'warning' : 'ok';
}

/** `14 held, 1 violated, 6 unverified (2 prevented)`. */
export function counts(report: Report): string {
  const { holds, violated, unverified, prevented } = tally(report);
  const which = prevented === unverified ? 'all' : prevented;
  return [
    `${holds} held`,
    ...(violated === 0 ? [] : [`${violated} violated`]),
    ...(unverified === 0 ? [] : [`${unverified} unverified`]),
  ]
    .join(', ')
    .concat(prevented === 0 ? '' : ` (${which} prevented)`);
}

/** The verdict on the provider in one sentence, without a full stop. */
export function headline(report: Report): string {
  const { violated, unverified } = tally(report);
  switch (report.exit) {
    case 0:
      if (unverified > 0) return `No clause is violated, ${unverified} could not be verified`;
      return report.clauses.length === 0
        ? 'Nothing was judged, only observed'
        : `The contract holds${asFarAsSelected(report)}`;
    case 1:
      return violated === 0
        ? 'An own check failed'
        : `The contract is violated in ${count(violated, 'clause')}`;
    case 2:
      if (report.unjudged === undefined)
        return `${count(unverified, 'clause')} could not be verified, which --strict refuses`;
      return `The provider could not be judged${nothingJudged(report) ? '' : ' completely'}`;
    case 3:
      return 'This suite has a defect, its verdict is incomplete';
  }
}

/** A round of a few clauses proves nothing about the others. */
export const asFarAsSelected = ({ clauses }: Report): string =>
  clauses.length < mustHold.length ? ' as far as selected' : '';

/** Whether all clauses are unverified for the same reason: then that reason is the whole report. */
export function nothingJudged({ unjudged, clauses, defects }: Report): boolean {
  return (
    unjudged !== undefined &&
    defects.length === 0 &&
    clauses.every(({ verdict, reason }) => verdict === 'unverified' && reason === unjudged)
  );
}

/**
 * The retried requests in words, and what may help if the provider could be judged only in part; empty where there
 * were none.
 */
export function noiseIn(report: Report): string {
  const { interrupted = 0, unrepeated = 0, rateLimitedSeconds = 0 } = report.noise ?? {};
  const retried = [
    ...(interrupted === 0 ? [] : [`${count(interrupted, 'interrupted request')} sent again`]),
    ...(unrepeated === 0 ? [] : [`${count(unrepeated, 'unexpected answer')} not given again`]),
    ...(rateLimitedSeconds < 1
      ? []
      : [`requests waited ${Math.round(rateLimitedSeconds)} s, as answers with 429 asked`]),
  ].join(', ');
  return interrupted === 0 || report.unjudged === undefined || nothingJudged(report)
    ? retried
    : `${retried}. Too many requests at once? Set PUBLIC_API_RATE`;
}
