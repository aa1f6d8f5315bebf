/** The share of runs that must get an answer, unless a target says otherwise. */
export const usualObjectiveRatio = 0.995;

/** More than any answer of the contract needs. */
export const maxBodyBytes = 1024 * 1024;

/** The probe of an endpoint's payload. */
export const payloadProbeName = 'the-payload-is-as-its-schema-says';
