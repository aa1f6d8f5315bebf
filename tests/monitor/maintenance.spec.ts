import { expect, test } from '@playwright/test';
import { maintenanceIn } from '../../monitor/round/watched-target.ts';

test('maintenance is what overlaps an instant, or the time between two', () => {
  const [first, second] = [
    { from: 10, until: 20, note: 'move' },
    { from: 30, until: 40 },
  ];
  const windows = [first, second];
  expect([9, 10, 19, 20].map((now) => maintenanceIn(windows, now))).toEqual([
    undefined,
    first,
    first,
    undefined,
  ]);
  expect(maintenanceIn(windows, 20, 29)).toBeUndefined();
  expect(maintenanceIn(windows, 20, 30)).toEqual(second);
  expect(maintenanceIn(undefined, 15)).toBeUndefined();
});
