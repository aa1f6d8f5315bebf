import type { MustId } from './clauses.ts';
import type { Finding } from './finding.ts';

/** A deviation of the provider that its team knows, and tolerates for now. */
export interface KnownDeviation {
  readonly clause: MustId;
  /** As findings name it: `GET /public-api/v1/widgets`. By default every endpoint. */
  readonly endpoint?: string | undefined;
  /** The probe that finds it. By default every probe. */
  readonly probe?: string | undefined;
  /** Why it is tolerated: one line. */
  readonly reason: string;
  /** Until when: milliseconds since 1970. By default without end. */
  readonly until?: number | undefined;
}

/** A finding, or a clause as a whole. */
type Tolerable = Pick<Finding, 'clause'> & Partial<Finding>;

/** Whether a finding is of a known deviation, whatever the date. */
export const covers = (known: KnownDeviation, { clause, endpoint, probe }: Tolerable): boolean =>
  known.clause === clause &&
  (known.endpoint ?? endpoint) === endpoint &&
  (known.probe ?? probe) === probe;

/** Why something is tolerated; undefined if it is not. @param now milliseconds since 1970 */
export const findTolerance = (
  found: Tolerable,
  known: readonly KnownDeviation[] = [],
  now = Date.now(),
): string | undefined =>
  known.find((entry) => covers(entry, found) && (!entry.until || now < entry.until))?.reason;

/** The findings, each known one with the reason. @param now milliseconds since 1970 */
export const withKnown = (
  findings: readonly Finding[],
  known?: readonly KnownDeviation[],
  now?: number,
): readonly Finding[] =>
  findings.map((finding) => ({ ...finding, known: findTolerance(finding, known, now) }));
