import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { print, runCommand } from '../../contract/command.ts';
import { progress } from '../../contract/report/progress.ts';
import { type TerminalStyle, terminalStyleOf } from '../../contract/report/terminal.ts';
import { readCommandLine, WrongArguments } from '../../settings/command-line.ts';
import { type FaultCase, faultCases } from './index.ts';
import { complaints, judgeFault, type Score, unprovedProbes } from './run.ts';

const help = `The suite's own score: each fault of the sandbox is switched on, and all probes judge it.

  npm run mutants                     every mutant violates exactly its clauses; no variant is reported
  npm run mutants -- EXPIRY slides    an area (TOKEN, BEARER, ERROR, EXPIRY, VARIANT) or a fault's name
  npm run mutants -- --json           the table as data
  npm run mutants -- --network        over sockets; by default only connection faults use one

Exit codes: 0 all as expected · 1 a mutant survived or violated other clauses, a variant was reported, or a probe caught nothing of its own · 2 wrong arguments
`;

/** Tries faults on as many threads as there are processors. */
async function tryAll(
  due: readonly FaultCase[],
  network: boolean,
  onScore: (score: Score) => void,
): Promise<Score[]> {
  const queue = due.values();
  const scores: Score[] = [];
  const thread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { network } });
      const next = (): void => worker.postMessage(queue.next().value);
      worker.on('message', (score: Score) => {
        scores.push(score);
        onScore(score);
        next();
      });
      worker.once('error', reject).once('exit', () => resolve());
      next();
    });
  const threads = Math.min(availableParallelism(), due.length);
  await Promise.all(Array.from({ length: threads }, thread));
  const found = new Map(scores.map((score) => [score.fault.name, score]));
  return due.flatMap(({ name }) => found.get(name) ?? []);
}

function select(words: readonly string[]): readonly FaultCase[] {
  const unknown = words.find(
    (word) => !faultCases.some(({ name, area }) => name === word || area === word),
  );
  if (unknown !== undefined)
    throw new WrongArguments(
      `unknown fault or area ${JSON.stringify(unknown)}: the names are in tests/faults`,
    );
  if (words.length === 0) return faultCases;
  return faultCases.filter(({ name, area }) => words.includes(name) || words.includes(area));
}

function row(score: Score, { paint }: TerminalStyle): string {
  const { fault, violated, caughtBy } = score;
  const wrong = complaints(score);
  const sign = wrong.length === 0 ? paint('green', '✓') : paint('red', '✗');
  const others = caughtBy.length > 1 ? ` and ${caughtBy.length - 1} more` : '';
  const by = paint('dim', `${caughtBy[0] ?? ''}${others}`);
  const result = fault.area === 'VARIANT' ? 'accepted' : `${violated.join(' ')}  ${by}`;
  const lines = wrong.map((why) => `    ${paint('red', why)}\n`).join('');
  return `  ${sign} ${fault.name.padEnd(38)}  ${result}\n${lines}`;
}

function summary(scores: readonly Score[]): string {
  return [...Map.groupBy(scores, ({ fault }) => fault.area)]
    .map(([area, all]) => {
      const good = all.filter((score) => complaints(score).length === 0).length;
      const what =
        area === 'VARIANT' ? 'variants accepted' : 'mutants violate exactly their clauses';
      return `  ${area.padEnd(8)} ${good} of ${all.length} ${what}\n`;
    })
    .join('');
}

async function main(args: readonly string[]): Promise<number> {
  const options = {
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
    network: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = readCommandLine('npm run mutants', {
    args: [...args],
    allowPositionals: true,
    options,
  });
  if (values.help === true) return print(help);
  const due = select(positionals);
  const began = performance.now();
  const { step, end } = progress(process.stderr, 'faults');
  const scores = await tryAll(due, values.network, (score) =>
    step({ name: score.fault.name, total: due.length, isBroken: complaints(score).length > 0 }),
  ).finally(end);
  const unproved = due === faultCases ? unprovedProbes(scores) : [];
  if (values.json === true) print(`${JSON.stringify(scores)}\n`);
  else report(scores, unproved, (performance.now() - began) / 1000);
  return unproved.length > 0 || scores.some((score) => complaints(score).length > 0) ? 1 : 0;
}

/** Prints each area, the counts, the unexpected results, and a closing line. */
function report(scores: readonly Score[], unproved: readonly string[], tookSeconds: number): void {
  const style = terminalStyleOf(process.stdout);
  const failed = scores.filter((score) => complaints(score).length > 0);
  for (const [area, all] of Map.groupBy(scores, ({ fault }) => fault.area))
    print(`\n${area}\n${all.map((score) => row(score, style)).join('')}`);
  print(`\n${summary(scores)}`);
  if (failed.length > 0) print(`\n${failed.map((score) => row(score, style)).join('')}`);
  for (const probe of unproved)
    print(`\n${probe} catches no mutant that few other probes catch: write one\n`);
  const closing = failed.length === 0 ? 'all as expected' : `${failed.length} not as expected`;
  const faults = scores.length === 1 ? 'fault' : 'faults';
  print(`\n${scores.length} ${faults}, ${closing}, ${tookSeconds.toFixed(1)} s\n`);
}

if (isMainThread && import.meta.main) await runCommand(main);

/** A worker thread tries the faults that it receives, one after the other. */
if (!isMainThread)
  parentPort?.on('message', async (fault: FaultCase | undefined) => {
    if (fault === undefined) parentPort?.close();
    else parentPort?.postMessage(await judgeFault(fault, workerData.network));
  });
