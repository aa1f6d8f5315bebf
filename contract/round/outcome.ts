/** How a run of a probe ended. Only `failed` counts against the provider; `defect` is a fault of ours. */
export const outcomes = ['passed', 'failed', 'unreachable', 'defect'] as const;

export type Outcome = (typeof outcomes)[number];
