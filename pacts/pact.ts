/** A pact: what one consumer expects of one provider, whatever version of the specification it was written in. */
export interface Pact {
  readonly consumer: string;
  readonly provider: string;
  /** 1 to 4. */
  readonly specification: number;
  readonly interactions: readonly [Interaction, ...Interaction[]];
  /** The whole document, as it was parsed. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** One request, and the answer that is expected. */
export interface Interaction {
  readonly description: string;
  readonly states: readonly GivenState[];
  /** The clauses that it refers to: `references.spec.clause` of its comments, such as `BEARER-1`. */
  readonly clauses: readonly string[];
  readonly method: string;
  readonly path: string;
  /** The status of the example answer. */
  readonly status: number;
  /** Its own part of the document. */
  readonly document: Readonly<Record<string, unknown>>;
}

/** A provider state that an interaction asks for. */
export interface GivenState {
  readonly name: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** A pact that cannot be used, in one line that says which and why. */
export class PactError extends Error {
  override readonly name = 'PactError';
}
