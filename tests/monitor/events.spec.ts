import { expect, test } from '@playwright/test';
import { openStateStore } from '../../monitor/state/state.ts';
import { eventsOf, recordEvent } from '../../monitor/watch/events.ts';

const name = 'under-test';

/** A state with events, and the events of a page at an instant. */
function recording() {
  const state = openStateStore(':memory:');
  type Transition = Parameters<typeof recordEvent>[3];
  return {
    state,
    take: (at: number, transition: Transition) => recordEvent(state, name, at, transition),
    seen: (now = 100_000) =>
      eventsOf(state, name, now).map(({ from, until, ...event }) => ({
        ...event,
        from: from.getTime(),
        until: until?.getTime(),
      })),
  };
}

const violated = { clause: 'BEARER-3', verdict: 'violated', before: 'holds' } as const;
const holds = { clause: 'BEARER-3', verdict: 'holds', before: 'violated' } as const;

test('a violation lasts from its first finding until its clause is not violated any more', () => {
  const { take, seen } = recording();
  take(10_000, violated);
  const begun = { what: 'violated', clause: 'BEARER-3', detail: undefined, from: 10_000 };
  expect(seen(25_000)).toEqual([{ ...begun, until: undefined, durationSeconds: 15 }]);
  take(40_000, holds);
  expect(seen()).toEqual([{ ...begun, until: 40_000, durationSeconds: 30 }]);
});

test('an outage lasts until the state is another one, and does not end a violation', () => {
  const { take, seen } = recording();
  take(1_000, violated);
  take(2_000, { state: 'partly', before: 'holds', detail: 'no answer' });
  take(3_000, { state: 'unreachable', before: 'partly', detail: 'no connection' });
  take(5_000, { state: 'holds', before: 'unreachable' });
  expect(seen()).toMatchObject([
    { what: 'unreachable', detail: 'no connection', from: 3_000, until: 5_000, durationSeconds: 2 },
    { what: 'partly', detail: 'no answer', from: 2_000, until: 3_000, durationSeconds: 1 },
    { what: 'violated', from: 1_000, until: undefined },
  ]);
});

test('changes that begin and end no event are not stored', () => {
  const { take, state } = recording();
  take(1, { state: 'holds', before: 'waiting' });
  take(2, { state: 'broken', before: 'holds' });
  take(3, { clause: 'BEARER-3', verdict: 'holds', before: 'unverified' });
  take(4, { clause: 'BEARER-3', verdict: 'unverified', before: undefined });
  expect(state.events(name, { limit: 9 })).toEqual([]);
});

test('a wall clock that was set back makes no event end before it began', () => {
  const { take, seen } = recording();
  take(10_000, violated);
  take(4_000, holds);
  take(5_000, violated);
  expect(seen()).toMatchObject([
    { from: 5_000, until: undefined },
    { from: 10_000, until: 10_000, durationSeconds: 0 },
  ]);
});

test('the last hundred events are shown, though the begin of an earlier one is missing', () => {
  const { take, seen } = recording();
  for (let at = 0; at < 150; at += 1) {
    take(10 * at, violated);
    take(10 * at + 5, holds);
  }
  expect(seen()).toHaveLength(100);
  expect(seen()[0]).toMatchObject({ from: 1_490, until: 1_495 });
});

test('rows of another program in the state are not shown', () => {
  const { state, seen } = recording();
  for (const event of ['text', { clause: 'BEARER-99', verdict: 'violated' }, { state: 'eclipse' }])
    state.record(name, 1, event);
  expect(seen()).toEqual([]);
});
