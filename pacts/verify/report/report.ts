import { jsonText } from '../../../contract/report/words.ts';
import type { GivenState } from '../../states.ts';
import type {
  InteractionOutcome,
  InteractionResult,
  PactResult,
  Verification,
} from '../verification.ts';

/** What a report needs besides the verification. */
export interface Context {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** The command that repeats the verification of the same pacts. */
  readonly again: string;
  /** The words that selected interactions, if any. The report then covers only those. */
  readonly only?: string;
  /** The results of publishing, and other notes: one line each. */
  readonly notes: readonly string[];
  /** Whether the broker lacks a result that should have been published. */
  readonly unpublished: boolean;
  readonly exit: Verification['exit'];
}

/** One interaction as every format shows it. */
export interface ReportedInteraction extends Omit<InteractionResult, 'interaction'> {
  readonly description: string;
  readonly states: readonly string[];
  /** The ids of the clauses that it refers to. */
  readonly clauses: readonly string[];
  /** The consumer or the broker declared it pending, so its failure does not fail the run. */
  readonly pending: boolean;
}

/** One pact as every format shows it. */
export interface ReportedPact {
  readonly consumer: string;
  readonly from: string;
  readonly pending: boolean;
  readonly notices: readonly string[];
  /** The reasons if the pact is refused, one line each. */
  readonly refused?: readonly string[];
  readonly interactions: readonly ReportedInteraction[];
}

/** A verification as every format shows it. Each text is one line, without secrets and control characters. */
export interface PactReport extends Context {
  readonly target: string;
  readonly unjudged?: string;
  /** The stack of a defect of this suite. */
  readonly defect?: string;
  readonly requests: number;
  readonly pacts: readonly ReportedPact[];
}

/** Cleans every text, because pacts are foreign texts like a provider's responses. */
export function pactReportOf(verification: Verification, context: Context): PactReport {
  const { target, pacts, unjudged, defect, requests, clean } = verification;
  return {
    ...context,
    only: context.only && clean(context.only),
    // Word by word, because a shortened command would not run.
    again: context.again.split(' ').map(clean).join(' '),
    notes: context.notes.map(clean),
    target: clean(target),
    unjudged,
    defect,
    requests,
    pacts: pacts.map((result) => reported(result, clean)),
  };
}

type Clean = Verification['clean'];

const reported = ({ source, interactions, refused }: PactResult, clean: Clean): ReportedPact => ({
  consumer: clean(source.pact.consumer),
  from: clean(source.from),
  pending: source.pending,
  notices: source.notices.map(clean),
  refused: refused?.map(clean),
  interactions: interactions.map((result) => reportedInteraction(result, source.pending, clean)),
});

function reportedInteraction(
  result: InteractionResult,
  isPending: boolean,
  clean: Clean,
): ReportedInteraction {
  const { interaction, ending, reason, asked, mismatches } = result;
  return {
    description: clean(interaction.description),
    states: interaction.states.map((state) => clean(stateText(state))),
    clauses: interaction.clauses.map(clean),
    pending: isPending || interaction.pending,
    ending,
    // The reason of a refused pact quotes the pact.
    reason: reason && clean(reason),
    asked,
    mismatches,
  };
}

/** `a token made 24 hours ago`, `a protected endpoint (method GET)`. */
function stateText({ name, parameters }: GivenState): string {
  const shown = (value: unknown): string =>
    typeof value === 'string' ? value : JSON.stringify(value);
  const rest = Object.entries(parameters).filter(([key]) => !name.includes(`{${key}}`));
  const filled = name.replace(/\{(\w+)\}/g, (hole, key: string) =>
    Object.hasOwn(parameters, key) ? shown(parameters[key]) : hole,
  );
  const more = rest.map(([key, value]) => `${key} ${shown(value)}`).join(', ');
  return more === '' ? filled : `${filled} (${more})`;
}

/** The number of interactions with each outcome. Failures of pending interactions are counted separately. */
function tally({ pacts }: PactReport) {
  const count = (ending: InteractionOutcome, pending?: boolean): number =>
    pacts
      .flatMap(({ interactions }) => interactions)
      .filter((one) => one.ending === ending && (pending === undefined || one.pending === pending))
      .length;
  return {
    verified: count('verified'),
    failed: count('failed', false),
    pending: count('failed', true),
    unverified: count('unverified'),
  };
}

/** Whether no interaction has a verdict, all for the same reason. The last line then contains the reason. */
export function nothingKnown(report: PactReport): boolean {
  const reasons = report.pacts.flatMap(({ interactions }) => interactions.map((one) => one.reason));
  return report.unjudged !== undefined && !hasVerdict(report) && new Set(reasons).size <= 1;
}

function hasVerdict(report: PactReport): boolean {
  const { verified, failed, pending } = tally(report);
  return verified + failed + pending > 0;
}

/** The number of refused pacts for which the run is not a success. Pending ones count if all pacts are refused. */
function refusedIn({ pacts }: PactReport): number {
  const refused = pacts.filter((one) => one.refused !== undefined);
  return refused.length === pacts.length
    ? refused.length
    : refused.filter(({ pending }) => !pending).length;
}

/** The verdict in one sentence, without a full stop. */
export function headline(report: PactReport): string {
  const { failed, pending, unverified } = tally(report);
  const part = report.only === undefined ? '' : ' as far as selected';
  const which = pending === 0 ? '' : ' that counts';
  const refused = refusedIn(report);
  switch (report.exit) {
    case 0:
      return unverified === 0
        ? `Every pact${which} is kept${part}`
        : `No pact${which} is broken${part}`;
    case 1:
      return `${failed === 1 ? 'An interaction is' : `${failed} interactions are`} not as the pact expects`;
    case 2:
      if (report.unjudged !== undefined)
        return `${report.target} could not be judged${hasVerdict(report) ? ' completely' : ''}: ${report.unjudged}`;
      if (refused > 0)
        return `${refused === 1 ? 'A pact is refused: its' : `${refused} pacts are refused: their`} interactions cannot be verified as they stand`;
      return report.unpublished
        ? 'A result is not in the broker'
        : 'Not verified, which --strict refuses';
    case 3:
      return 'This suite has a defect';
  }
}

/** `11 verified, 1 failed, 2 unverified`. */
export function counts(report: PactReport): string {
  const { verified, failed, pending, unverified } = tally(report);
  return [
    `${verified} verified`,
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(pending === 0 ? [] : [`${pending} failed that ${pending === 1 ? 'is' : 'are'} pending`]),
    ...(unverified === 0 ? [] : [`${unverified} unverified`]),
  ].join(', ');
}

/** `pacts.json`, the report for programs. Its schema is `schemas/pact-report.json`. */
export function pactsJson({ startedAt, finishedAt, again: _, ...report }: PactReport): string {
  const document = {
    ...report,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt.toISOString(),
    version: 1,
  };
  return jsonText(document);
}
