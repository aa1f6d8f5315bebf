import { expect, test } from '@playwright/test';
import fc from 'fast-check';
import type { Condition } from '../../monitor/notify/conditions.ts';
import { type Alerts, decide, noAlerts, type Observation } from '../../monitor/notify/decide.ts';

const alert = { labels: { alertname: 'One', clause: 'ERROR-1' }, annotations: {} };
const violated: Condition = { key: 'one', forMs: 0, alert: { ...alert, startsAt: 500 } };
const unknown: Condition = { key: 'one', forMs: 0, alert: undefined };
const lasting: Condition = {
  key: 'two',
  forMs: 3_000,
  alert: { labels: { alertname: 'Two' }, annotations: {} },
};

const usual = { isSilenced: false, watchedMs: 1_000, resolveAfterMs: 2_000 };

/** Makes one observation each second. @returns the resulting messages, such as `firing One @500`, and the alerts */
function course(
  observations: readonly (readonly Condition[] | Partial<Observation>)[],
  before: Alerts = noAlerts,
): { readonly lines: string[]; readonly alerts: Alerts } {
  let alerts = before;
  const lines = observations.map((one, index) => {
    const seen = Array.isArray(one) ? { conditions: one } : one;
    const next = decide(alerts, { conditions: [], ...usual, ...seen }, 1_000 * (index + 1));
    alerts = next.alerts;
    return next.messages
      .map(({ status, alert: { labels, startsAt }, endsAt }) =>
        [status, labels.alertname, `@${startsAt}`, endsAt].filter(Boolean).join(' '),
      )
      .join(', ');
  });
  return { lines, alerts };
}

test('a violated clause fires once, at the instant since which it is violated', () => {
  expect(course([[violated], [violated], [violated]]).lines).toEqual(['firing One @500', '', '']);
});

test('an alert of a clause is resolved after the clause was not violated for long enough', () => {
  const { lines } = course([[violated], [], [violated], [], [], [], []]);
  expect(lines).toEqual(['firing One @500', '', '', '', '', 'resolved One @500 4000', '']);
});

test('a clause that could not be looked at keeps its alert, and raises none', () => {
  expect(course([[unknown], [unknown]]).lines).toEqual(['', '']);
  const { lines } = course([[violated], [], [unknown], [unknown], [], [], []]);
  expect(lines).toEqual(['firing One @500', '', '', '', '', '', 'resolved One @500 5000']);
});

test('an alert of a condition that must last begins when it has lasted, and ends at once', () => {
  const { lines } = course([[lasting], [lasting], [lasting], [lasting], [lasting], [], [lasting]]);
  expect(lines).toEqual(['', '', '', 'firing Two @4000', '', 'resolved Two @4000 6000', '']);
});

test('a condition that ends before it has lasted begins anew', () => {
  const { lines } = course([[lasting], [lasting], [lasting], [], [lasting], [lasting], [lasting]]);
  expect(lines.join('')).toBe('');
});

test('a pause in which nothing was watched does not make a condition last', () => {
  const paused = { conditions: [lasting], watchedMs: 0 };
  expect(course([[lasting], paused, paused, paused, paused]).lines.join('')).toBe('');
});

test('nothing begins and nothing ends in maintenance', () => {
  const silenced = { isSilenced: true };
  const all = { conditions: [violated, lasting], ...silenced };
  expect(course([all, all, all, all, all]).lines.join('')).toBe('');
  const { lines } = course([[violated], silenced, silenced, silenced, [], [], []]);
  expect(lines).toEqual(['firing One @500', '', '', '', '', '', 'resolved One @500 5000']);
  const late = course([[lasting], [lasting], [lasting], { conditions: [lasting], ...silenced }]);
  expect(course([[lasting], [lasting]], late.alerts).lines.join('')).toBe('');
});

test('an alert that an earlier process has begun is not begun again', () => {
  const { alerts } = course([[violated]]);
  expect(course([[violated], []], { ...noAlerts, firing: alerts.firing }).lines).toEqual(['', '']);
});

test('messages about an alert begin and end in turns, whatever is seen', () => {
  const one = fc.subarray([violated, lasting]);
  const seen = fc.record({
    conditions: fc.oneof(one, fc.constant([unknown])),
    isSilenced: fc.boolean(),
    watchedMs: fc.constantFrom(0, 1_000, 5_000),
  });
  fc.assert(
    fc.property(fc.array(seen, { maxLength: 60 }), (observations) => {
      const last = new Map<string, string>();
      let alerts = noAlerts;
      for (const [index, observation] of observations.entries()) {
        const next = decide(alerts, { ...usual, ...observation }, index);
        if (observation.isSilenced) expect(next.messages).toEqual([]);
        for (const { status, alert: about } of next.messages) {
          const name = about.labels.alertname ?? '';
          expect(status).toBe(last.get(name) === 'firing' ? 'resolved' : 'firing');
          last.set(name, status);
        }
        // Every third step simulates a new process, which knows only the firing alerts.
        alerts = index % 3 === 0 ? { ...noAlerts, firing: next.alerts.firing } : next.alerts;
      }
      const open = [...last].filter(([, status]) => status === 'firing').map(([name]) => name);
      const firing = [...alerts.firing.values()].map((each) => each.alert.labels.alertname);
      expect(firing.sort()).toEqual(open.sort());
    }),
  );
});
