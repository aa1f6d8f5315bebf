/** The outcomes of a run: only `failed` counts against the provider. */
export const outcomes = ['passed', 'failed', 'unreachable', 'defect'] as const;

export type Outcome = (typeof outcomes)[number];
