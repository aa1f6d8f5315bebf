import { expect, test } from '@playwright/test';
import { isSampled } from '../sample.ts';
import { lists, withoutFault } from './row-lists.ts';
import { complaintAbout } from './rows.ts';

for (const [index, list] of lists.entries()) {
  const [name, clause, , rows] = list;
  test(`${name} names each row that violates ${clause} (list ${index + 1})`, async () => {
    const complaints: string[] = [];
    for (const row of rows)
      if (!withoutFault.has(row.name) && isSampled(`${name} ${row.name}`, 16))
        complaints.push(...(await complaintAbout(row, list)));
    expect(complaints).toEqual([]);
  });
}

test('each row without a fault is in a list', () => {
  const names = lists.flatMap(([, , , rows]) => rows.map(({ name }) => name));
  expect([...withoutFault].filter((name) => !names.includes(name))).toEqual([]);
});
