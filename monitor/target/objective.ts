/** The default share of answered runs, and the default processing time. */
export const usualObjectiveRatio = 0.995;
export const usualSlowSeconds = 1;
