import { expect, test } from '@playwright/test';
import { withFigures } from '../../tools/bench/table.ts';

const empty = '<!-- bench -->\n<!-- bench:end -->\n';
const lag = (runs: number, targets: string, value: string) => ({
  what: `schedule lag of ${runs} runs of ${targets} targets in a minute`,
  value,
  kept: true,
});

/** The rows of the table, without its heading. */
const rows = (text: string): string[] =>
  text.split('\n').filter((line) => line.startsWith('| schedule'));

test('a figure that is measured again replaces its row', () => {
  const before = withFigures(empty, [lag(983, '1,000', '5 ms')], 'a machine');
  const after = withFigures(before, [lag(1002, '1,000', '6 ms')], 'another');
  expect(rows(after)).toEqual([
    '| schedule lag of 1002 runs of 1,000 targets in a minute |  | 6 ms | another |',
  ]);
});

test('figures of 100 and of 1,000 targets have a row each', () => {
  const figures = [lag(983, '1,000', '5 ms'), lag(98, '100', '1 ms')];
  expect(rows(withFigures(empty, figures, 'a machine'))).toHaveLength(2);
});
