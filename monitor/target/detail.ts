/** How many metrics a target exports: for each probe those that people look at, or all measurements. */
export const details = ['lean', 'full'] as const;
export type Detail = (typeof details)[number];

/** The share of answered runs, and the processing time, where nothing else is configured. */
export const usualObjectiveRatio = 0.995;
export const usualSlowSeconds = 1;
