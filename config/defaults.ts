/** What holds for a target that does not say otherwise. These need no parser of a targets file. */

/** The share of runs that must get an answer. */
export const usualObjectiveRatio = 0.995;

/** The processing time above which a run counts as slow. */
export const usualSlowSeconds = 1;

/** More than any answer of the contract needs. */
export const maxBodyBytes = 1024 * 1024;

/** The probe of an endpoint's payload. */
export const payloadProbeName = 'the-payload-is-as-its-schema-says';
