/** The outcomes of a run, with their names in metrics, reports and the state of monitors, which others parse. */
const published = {
  passed: 'kept',
  /** Only this one counts against the provider. */
  failed: 'broken',
  unreachable: 'unreachable',
  defect: 'defect',
} as const;

export type Outcome = keyof typeof published;
export type PublishedOutcome = (typeof published)[Outcome];

export const outcomes = Object.keys(published) as readonly Outcome[];
export const publishedOutcomes: readonly PublishedOutcome[] = Object.values(published);

export const publishedOutcome = (outcome: Outcome): PublishedOutcome => published[outcome];

/** The outcome of a published name. */
export const outcomeFrom = (name: unknown): Outcome | undefined =>
  outcomes.find((outcome) => published[outcome] === name);
