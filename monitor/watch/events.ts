import type { MustId } from '../../contract/clauses.ts';
import { field, textIn } from '../../contract/json-value.ts';
import type { StateStore } from '../state/state.ts';
import type { KnownVerdict, TargetState } from '../target/contract-status.ts';
import { isClause } from './stored.ts';

/** A clause was violated, or some probes (`partly`) or all probes got no answer that can be judged. */
const kinds = ['violated', 'partly', 'unreachable'] as const;

export interface EventStatus {
  readonly what: (typeof kinds)[number];
  readonly clause?: string;
  /** Why there was no answer that can be judged: one line. */
  readonly detail?: string;
  readonly from: Date;
  /** Absent while the event lasts. */
  readonly until?: Date;
  /** While the event lasts, its duration until now. */
  readonly durationSeconds: number;
}

/** A change of a verdict, or of the state. */
type Transition = { readonly before: string | undefined } & (
  | { readonly clause: MustId; readonly verdict: KnownVerdict['verdict'] }
  | { readonly state: TargetState; readonly detail?: string }
);

/** Records a change if it begins or ends an event. @param at milliseconds since 1970 */
export function recordEvent(
  store: Pick<StateStore, 'record'>,
  target: string,
  at: number,
  transition: Transition,
): void {
  const now = 'clause' in transition ? transition.verdict : transition.state;
  if (kinds.some((kind) => kind === now || kind === transition.before))
    store.record(target, at, transition);
}

/** How many events are shown. */
const most = 100;

/** The last events, the latest first. @param now milliseconds since 1970 */
export function eventsOf(
  store: Pick<StateStore, 'events'>,
  target: string,
  now: number,
): EventStatus[] {
  const all: Event[] = [];
  const open = new Map<string, Event>();
  for (const { at, event } of store.events(target, { limit: 2 * most }).reverse()) {
    const clause = [field(event, 'clause')].find(isClause);
    const subject = clause ?? 'answers';
    const last = open.get(subject);
    // The wall clock may have been set back.
    if (last !== undefined) last.until = Math.max(last.from, at);
    open.delete(subject);
    const what = kinds.find((kind) => kind === textIn(event, clause ? 'verdict' : 'state'));
    if (what === undefined) continue;
    const begun = { what, clause, detail: textIn(event, 'detail'), from: at };
    open.set(subject, begun);
    all.push(begun);
  }
  return all
    .slice(-most)
    .reverse()
    .map((one) => statusOf(one, now));
}

interface Event extends Pick<EventStatus, 'what' | 'clause' | 'detail'> {
  /** Milliseconds since 1970. */
  readonly from: number;
  until?: number;
}

const statusOf = ({ from, until, ...event }: Event, now: number): EventStatus => ({
  ...event,
  from: new Date(from),
  until: until === undefined ? undefined : new Date(until),
  durationSeconds: Math.max(0, (until ?? now) - from) / 1000,
});
