/** The outcomes of a run: only `failed` counts against the provider. */
export const outcomes = ['passed', 'failed', 'unreachable', 'defect'] as const;

export type Outcome = (typeof outcomes)[number];

/** The names of outcomes in metrics, reports and the state of monitors, which others parse. */
const published = {
  passed: 'kept',
  failed: 'broken',
  unreachable: 'unreachable',
  defect: 'defect',
} as const satisfies Record<Outcome, string>;

export type PublishedOutcome = (typeof published)[Outcome];

export const publishedOutcome = (outcome: Outcome): PublishedOutcome => published[outcome];

export const publishedOutcomes: readonly PublishedOutcome[] = outcomes.map(publishedOutcome);

/** The outcome of a published name. */
export const outcomeFrom = (name: unknown): Outcome | undefined =>
  outcomes.find((outcome) => published[outcome] === name);
