import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Figure, type Measure, ours } from './figure.ts';
import { ofTheGate } from './gate.ts';
import { ofTheMonitor } from './monitor.ts';
import { ofThePacts } from './pacts.ts';
import { ofThePeers } from './peers.ts';
import { listed, select } from './selection.ts';
import { writeTable } from './table.ts';
import { ofTwoServers } from './two-servers.ts';

const groups = {
  gate: ofTheGate,
  monitor: ofTheMonitor,
  pacts: ofThePacts,
  peers: ofThePeers,
  servers: ofTwoServers,
};
const help = `Measures the figures of tools/bench/README.md, beside the installed peers, on a quiet machine.

  npm run bench              all of them but the last: about 40 minutes
  npm run bench -- gate      those of the gate
  npm run bench -- monitor   those of the monitor
  npm run bench -- pacts     those of the pacts
  npm run bench -- peers     a request of the gate, of newman and of curl
  npm run bench -- servers   how often a fault of one of two servers is missed: an hour, and only on request

A single measure is GROUP/MEASURE, such as npm run bench -- monitor/round-https:

${listed(groups)}
  --write   writes what was measured into tools/bench/README.md

Exit codes: 0 every bound holds; 1 a bound is exceeded; 2 wrong arguments.
`;

const empty = `import { test } from '@playwright/test';\ntest('nothing', () => {});\n`;

async function measure(measures: readonly Measure[]): Promise<Figure[]> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-'));
  const figures: Figure[] = [];
  try {
    await mkdir(path.join(folder, 'tests'));
    await symlink(ours('node_modules'), path.join(folder, 'node_modules'));
    const gate = `node --import ${ours('tools/setup/loading.js')} ${ours('gate/main.ts')}`;
    const manifest = { type: 'module', scripts: { gate } };
    await writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
    await writeFile(path.join(folder, 'tests/empty.spec.ts'), empty);
    for (const one of measures)
      for (const figure of [await one(folder)].flat()) {
        const { what, value, bound, kept } = figure;
        const limit = bound === undefined ? '' : ` (at most ${bound})`;
        const sign = kept === undefined ? '–' : kept ? '✓' : '✗';
        process.stdout.write(`${sign} ${what}: ${value}${limit}\n`);
        figures.push(figure);
      }
    return figures;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const args = process.argv.slice(2);
const selected = args.filter((arg) => arg !== '--write');
const all = ['gate', 'monitor', 'pacts', 'peers'];
const { measures, unknown } = select(groups, selected.length === 0 ? all : selected);
if (selected.includes('--help')) process.stdout.write(help);
else if (unknown.length > 0) {
  process.stderr.write(
    `unknown argument ${unknown.join(' ')}: npm run bench -- --help lists the options\n`,
  );
  process.exitCode = 2;
} else {
  const figures = await measure(measures);
  if (args.includes('--write')) await writeTable(figures);
  if (figures.some(({ kept }) => kept === false)) process.exitCode = 1;
}
