import { expect, test } from '@playwright/test';
import { Warnings } from '../../monitor/fleet/warnings.ts';

const me = { id: 'one', authority: '127.0.0.1:9797', version: '1.2.3' };
const other = { ...me, id: 'two', startedAt: 0, beat: 5 };

/** The warnings of a member that sees these other members every three seconds. */
function noted(rows: (second: number) => (typeof other)[], seconds: number, wall = 0): string[] {
  const lines: string[] = [];
  const warnings = new Warnings(me, (line) => void lines.push(line));
  for (let second = 0; second <= seconds; second += 3) {
    const own = { ...me, startedAt: 0, beat: second / 3 + 1 };
    warnings.observe([own, ...rows(second)], { wall, elapsed: second * 1000 });
  }
  return lines;
}

test('a second monitor with the address of the first is noted once, and a former process is not', () => {
  expect(noted(() => [other], 300)).toEqual([
    'another monitor of the fleet has the address 127.0.0.1:9797 too, so links and /sd lead to the wrong one: set MONITOR_ADVERTISE',
  ]);
  expect(noted((second) => (second < 30 ? [other] : []), 300)).toEqual([]);
  expect(noted(() => [{ ...other, authority: '10.0.0.2:9797' }], 300)).toEqual([]);
});

test('a clock that differs from that of the database is noted when a monitor joins', () => {
  const line = (is: string) =>
    `the clock of this machine is ${is} the clock of the database, so times on the pages are wrong: set both clocks`;
  expect(noted(() => [], 9, 7_200_000)).toEqual([line('120 minutes ahead of')]);
  expect(noted(() => [], 9, -180_000)).toEqual([line('3 minutes behind')]);
  expect(noted(() => [], 9, 100_000)).toEqual([]);
});
