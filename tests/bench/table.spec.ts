import { formatCells, type Row, withRow } from '../../tools/bench/table.ts';
import { fromRoot, startNode } from '../process.ts';
import { expect, test } from '../test.ts';

const row: Row = { what: 'a start', unit: 's', max: 0.2, measure: async () => ({ value: 1 }) };
const page = '| figure | bound | measured | when |\n<!-- bench:end -->\nprose\n';

test('a figure that is measured again replaces its row', () => {
  const lineOf = (value: number, note?: string) =>
    `| ${formatCells(row, { value, note }).join(' | ')} |`;
  const before = withRow(page, lineOf(0.123));
  const another = withRow(before, '| another start | 1 s |');
  const after = withRow(another, lineOf(0.3, 'cold'));
  expect(after.split('\n').slice(1, 4)).toEqual([
    '| a start | 0.2 s | ✗ 0.30 s: cold |',
    '| another start | 1 s |',
    '<!-- bench:end -->',
  ]);
});

test('a figure that does not exist is refused', async () => {
  const ran = await startNode(fromRoot(''), [fromRoot('tools/bench/main.ts'), 'gate/none']).ended;
  expect(ran).toMatchObject({ exit: 2, stdout: '' });
  expect(ran.stderr).toContain('no figure is called gate/none: npm run bench -- --help');
});
