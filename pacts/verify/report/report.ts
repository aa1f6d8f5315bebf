import { jsonText } from '../../../contract/report/words.ts';
import type { GivenState } from '../../states.ts';
import type { PactResult, Verification } from '../verification.ts';

/** What a report needs besides the verification. */
export interface Context {
  readonly startedAt: Date;
  readonly finishedAt: Date;
  /** The command that repeats the verification of the same pacts. */
  readonly again: string;
  /** The words that selected interactions. The report then covers only those. */
  readonly only?: string;
  /** The origin of the pacts, and the results of publishing: one line each. */
  readonly notes: readonly string[];
  /** Whether the broker lacks a result. */
  readonly unpublished: boolean;
  readonly exit: Verification['exit'];
}

/** A verification as every format shows it. Each text is one line, without secrets and control characters. */
export type PactReport = ReturnType<typeof pactReportOf>;
export type ReportedPact = ReturnType<typeof reported>;
export type ReportedInteraction = ReportedPact['interactions'][number];

/** Cleans every text, because pacts are foreign texts like a provider's responses. */
export function pactReportOf(
  { pacts, clean, ...verification }: Verification,
  { startedAt, finishedAt, again, ...context }: Context,
) {
  return {
    ...cleaned({ ...verification, ...context, pacts: pacts.map(reported) }, clean),
    // Word by word, because a shortened command would not run.
    again: again.split(' ').map(clean).join(' '),
    defect: verification.defect,
    startedAt,
    finishedAt,
  };
}

/** A document with each of its texts cleaned. */
const cleaned = <Value>(value: Value, clean: Verification['clean']): Value =>
  JSON.parse(
    JSON.stringify(value, (_, inner) => (typeof inner === 'string' ? clean(inner) : inner)),
  );

const reported = ({ source: { pact, from, pending: isPending }, interactions }: PactResult) => ({
  consumer: pact.consumer,
  from,
  /** The broker declared it pending, so no failure of it fails the run. */
  pending: isPending,
  messages: pact.messages,
  interactions: interactions.map(({ interaction, ...result }) => ({
    description: interaction.description,
    states: interaction.states.map(stateText),
    clauses: interaction.clauses,
    pending: isPending || interaction.pending,
    ...result,
  })),
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
