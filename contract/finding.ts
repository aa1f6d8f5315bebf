import type { MustId, OpenId } from './clauses.ts';

/** One way in which a clause was seen broken. All texts are free of secrets. */
export interface Finding {
  readonly clause: MustId;
  readonly probe: string;
  /** `GET /public-api/v1/widgets`, or the token endpoint. */
  readonly endpoint: string;
  /** The age of the token, and what was peculiar about the request. */
  readonly when: string;
  readonly asked: string;
  readonly expected: string;
  readonly received: string;
  /** How often it was seen, where not always: `4 of 6 requests`. */
  readonly seen?: string;
}

/** A fact that the document leaves open, as this provider has it. */
export interface Observation {
  readonly id: OpenId;
  readonly fact: string;
  readonly value: string;
}
