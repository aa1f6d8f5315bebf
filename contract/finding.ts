import type { MustId, OpenId } from './clauses.ts';

/** One observed violation of a clause. All texts are free of secrets. */
export interface Finding {
  readonly clause: MustId;
  readonly probe: string;
  /** `GET /public-api/v1/widgets`, or the token endpoint. */
  readonly endpoint: string;
  /** The age of the token, and what is special about the request. */
  readonly when: string;
  readonly asked: string;
  readonly expected: string;
  readonly received: string;
  /** How often it was seen, if not always: `4 of 6 requests`. */
  readonly seen?: string;
  /** Why the team tolerates it for now; absent if it counts. */
  readonly known?: string;
  /** The body of the answer, as far as it may be shown; absent if there is nothing to show. */
  readonly body?: string;
  /** The id of the request's trace, which the provider's logs have too (W3C Trace Context). */
  readonly trace?: string;
  /** A command that sends the request again: one line; absent if the request is not a plain one. */
  readonly curl?: string;
}

/** The fields of a finding that say what happened, in the order in which people read them. */
export const findingRows = [
  'asked',
  'expected',
  'received',
  'body',
  'seen',
  'known',
  'trace',
  'curl',
] as const satisfies (keyof Finding)[];

/** Findings sorted by the age of the token; those without one come first. */
export const byAge = (findings: readonly Finding[]): Finding[] =>
  findings.toSorted((a, b) => ageSecondsIn(a.when) - ageSecondsIn(b.when));

/** The age of the token in `when`, in seconds; -1 without one. */
export function ageSecondsIn(when: string): number {
  const [, days = 0, hours, minutes, seconds] =
    /^at (?:(\d+) d )?(\d+) h (\d+) min ([\d.]+) s after the token was made/.exec(when) ?? [];
  if (hours === undefined) return -1;
  return ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
}

/** A fact that the contract leaves open, as observed at this provider. */
export interface Observation {
  readonly id: OpenId;
  readonly fact: string;
  readonly value: string;
}

/** The observations of a round, each fact once with all observed values; OPEN-2 comes before OPEN-10. */
export function ledger(
  results: readonly { readonly observations: readonly Observation[] }[],
): Observation[] {
  const observations = results.flatMap((result) => result.observations);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...Map.groupBy(observations, ({ id, fact }) => `${id} ${fact}`).values()]
    .flatMap((same) => {
      const value = [...new Set(same.map((observation) => observation.value))].sort().join(', ');
      return same.slice(0, 1).map((first) => ({ ...first, value }));
    })
    .sort((a, b) => compare(a.id, b.id) || a.fact.localeCompare(b.fact));
}

/** Clauses that the provider's own words make doubtful where nothing proves them, each with the reason. */
export type Doubts = Readonly<Partial<Record<MustId, string>>>;
