/** `npm run bench`: measures the figures of README.md. */
import { mkdtempDisposable } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readCommandLine, usageError } from '../../config/command-line.ts';
import { print, runCommand } from '../../contract/command.ts';
import { gateRows } from './gate.ts';
import { monitorRows } from './monitor.ts';
import { ordinaryRows } from './ordinary.ts';
import { formatCells, isWithinBound, type Row, type Rows, writeRow } from './table.ts';

/** What is measured by default: ordinary teams take half an hour. */
const usual: Rows = { ...gateRows, ...monitorRows };
const rows: Rows = { ...usual, ...ordinaryRows };

const help = `Measures the figures of tools/bench/README.md, on a quiet machine.

  npm run bench                    about twenty minutes: all but ordinary, which takes half an hour
  npm run bench -- gate            a group
  npm run bench -- monitor/round   a figure
  npm run bench -- --write         writes what was measured into tools/bench/README.md

${Object.entries(rows)
  .map(([name, { what }]) => `  ${name.padEnd(16)} ${what}`)
  .join('\n')}

Exit codes: 0 every bound holds; 1 a bound is exceeded; 2 wrong arguments.
`;

async function main(args: readonly string[]): Promise<0 | 1> {
  const { values, positionals } = readCommandLine('npm run bench', {
    args: [...args],
    options: { write: { type: 'boolean' } },
    allowPositionals: true,
  });
  const due = selectRows(positionals);
  if (due.length === 0)
    throw usageError('npm run bench', `no figure is called ${positionals.join(' or ')}`);
  let areAllWithinBound = true;
  for (const row of due) {
    await using scratch = await mkdtempDisposable(path.join(os.tmpdir(), 'bench-'));
    const measured = await row.measure(scratch.path);
    const [what, bound, is] = formatCells(row, measured);
    print(`${what}: ${is} (at most ${bound})\n`);
    if (values.write) await writeRow(row, measured);
    areAllWithinBound &&= isWithinBound(row, measured);
  }
  return areAllWithinBound ? 0 : 1;
}

/** The rows with these names, or in the groups with these names. */
function selectRows(names: readonly string[]): Row[] {
  if (names.length === 0) return Object.values(usual);
  const isNamed = (full: string) => names.some((name) => `${full}/`.startsWith(`${name}/`));
  return Object.entries(rows).flatMap(([full, row]) => (isNamed(full) ? [row] : []));
}

await runCommand(main, help);
