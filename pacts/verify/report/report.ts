import { jsonText } from '../../../contract/report/words.ts';
import type { GivenState } from '../../states.ts';
import type { InteractionResult, PactResult, Verification } from '../verification.ts';

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

/** A verification as every format shows it. Each text is one line, without secrets and control characters. */
export type PactReport = ReturnType<typeof pactReportOf>;
export type ReportedPact = ReturnType<typeof reported>;
export type ReportedInteraction = ReturnType<typeof reportedInteraction>;

type Clean = Verification['clean'];

/** Cleans every text, because pacts are foreign texts like a provider's responses. */
export function pactReportOf({ pacts, clean, ...verification }: Verification, context: Context) {
  return {
    ...verification,
    ...context,
    target: clean(verification.target),
    only: context.only && clean(context.only),
    // Word by word, because a shortened command would not run.
    again: context.again.split(' ').map(clean).join(' '),
    notes: context.notes.map(clean),
    pacts: pacts.map((result) => reported(result, clean)),
  };
}

const reported = ({ source, interactions, refused }: PactResult, clean: Clean) => ({
  consumer: clean(source.pact.consumer),
  from: clean(source.from),
  /** The broker declared it pending, so no failure of it fails the run. */
  pending: source.pending,
  notices: source.notices.map(clean),
  refused: refused?.map(clean),
  interactions: interactions.map((result) => reportedInteraction(result, source.pending, clean)),
});

const reportedInteraction = (
  { interaction, reason, ...result }: InteractionResult,
  isPending: boolean,
  clean: Clean,
) => ({
  description: clean(interaction.description),
  states: interaction.states.map((state) => clean(stateText(state))),
  clauses: interaction.clauses.map(clean),
  pending: isPending || interaction.pending,
  // The reason of a refused pact quotes the pact.
  reason: reason && clean(reason),
  ...result,
});

/** `a protected endpoint (method GET)` */
function stateText({ name, parameters }: GivenState): string {
  const words = Object.entries(parameters).map(
    ([key, value]) => `${key} ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  return words.length === 0 ? name : `${name} (${words.join(', ')})`;
}

/** `pacts.json`, the report for programs. Its schema is `schemas/pact-report.json`. */
export const pactsJson = ({ again: _, ...report }: PactReport): string =>
  jsonText({ ...report, version: 1 });
