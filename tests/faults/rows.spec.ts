import { expect, test } from '@playwright/test';
import { isSampled } from '../sample.ts';
import { lists } from './row-lists.ts';
import { complaintAbout } from './rows.ts';

for (const list of lists) {
  const { probe, rows, without = [] } = list;

  test(`${probe.name} names a row that alone gets through`, async () => {
    const complaints: string[] = [];
    for (const row of rows)
      if (!without.includes(row.name) && isSampled(`${probe.name} ${row.name}`, 16))
        complaints.push(...(await complaintAbout(list, row)));
    expect(complaints).toEqual([]);
  });

  for (const name of without)
    test(`${probe.name} has the row that no fault is generated for: ${name}`, () => {
      expect(rows.map((row) => row.name)).toContain(name);
    });
}
