/** How many metrics a target exports: for each probe only those that operators usually read, or all measurements. */
export const details = ['lean', 'full'] as const;
export type Detail = (typeof details)[number];

/** The default share of answered runs, and the default processing time. */
export const usualObjectiveRatio = 0.995;
export const usualSlowSeconds = 1;
