/** The share of runs that must get an answer, and the processing time from which one counts as slow, unless a target says otherwise. */
export const usualObjectiveRatio = 0.995;
export const usualSlowSeconds = 1;

/** More than any answer of the contract needs. */
export const maxBodyBytes = 1024 * 1024;

/** The probe of an endpoint's payload. */
export const payloadProbeName = 'the-payload-is-as-its-schema-says';
