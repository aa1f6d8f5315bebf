/** How much is exported of a target: of each probe what people look at, or all that was measured. */
export const details = ['lean', 'full'] as const;
export type Detail = (typeof details)[number];

/** What must get an answer, and how soon, where nothing else is configured. */
export const usualObjectiveRatio = 0.995;
export const usualSlowSeconds = 1;
