import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ArgumentError, readCommandLine } from '../../config/command-line.ts';
import { print, runCommand } from '../../contract/command.ts';
import { progress } from '../../contract/report/progress.ts';
import { detectStyle } from '../../contract/report/terminal.ts';
import { type FaultCase, faultCases } from './index.ts';
import { judgeFault, type Score, unprovedProbes } from './run.ts';

const help = `The suite's own score: each fault of the sandbox is switched on, and all probes judge it.

  npm run mutants                     every mutant violates exactly its clauses; no variant is reported
  npm run mutants -- EXPIRY slides    an area (TOKEN, BEARER, ERROR, EXPIRY, VARIANT) or a fault's name
  npm run mutants -- --json           the table as data
  npm run mutants -- --network        over sockets; by default only connection faults use one

Exit codes: 0 all as expected · 1 a mutant survived or violated other clauses, a variant was reported, or a probe caught nothing of its own · 2 wrong arguments
`;

/** Tries faults on as many threads as there are processors. */
async function tryAll(due: readonly FaultCase[], network: boolean): Promise<Score[]> {
  const queue = due.values();
  const scores = new Map<string, Score>();
  const { step, end } = progress(process.stderr, 'faults');
  const thread = async (): Promise<void> => {
    const worker = new Worker(new URL(import.meta.url), { workerData: { network } });
    for (const fault of queue) {
      worker.postMessage(fault);
      const [score]: Score[] = await once(worker, 'message');
      if (score === undefined) continue;
      scores.set(fault.name, score);
      step({ name: fault.name, total: due.length });
    }
    await worker.terminate();
  };
  const threads = Math.min(availableParallelism(), due.length);
  await Promise.all(Array.from({ length: threads }, thread)).finally(end);
  return due.flatMap(({ name }) => scores.get(name) ?? []);
}

const isWrong = ({ complaints }: Score): boolean => complaints.length > 0;

function select(words: readonly string[]): readonly FaultCase[] {
  const due = faultCases.filter(({ name, area }) => words.includes(name) || words.includes(area));
  const known = due.flatMap(({ name, area }) => [name, area]);
  const unknown = words.find((word) => !known.includes(word));
  if (unknown !== undefined)
    throw new ArgumentError(
      `unknown fault or area ${JSON.stringify(unknown)}: the names are in tests/faults`,
    );
  return words.length === 0 ? faultCases : due;
}

function row(score: Score): string {
  const { fault, violated, caughtBy, complaints } = score;
  const { paint } = detectStyle(process.stdout);
  const sign = isWrong(score) ? paint('red', '✗') : paint('green', '✓');
  const others = caughtBy.length > 1 ? ` and ${caughtBy.length - 1} more` : '';
  const by = paint('dim', `${caughtBy[0] ?? ''}${others}`);
  const result = fault.area === 'VARIANT' ? 'accepted' : `${violated.join(' ')}  ${by}`;
  const lines = complaints.map((complaint) => `    ${paint('red', complaint)}\n`).join('');
  return `  ${sign} ${fault.name.padEnd(38)}  ${result}\n${lines}`;
}

/** Each area with its count, the unexpected results again, and a closing line. */
function report(
  scores: readonly Score[],
  unproved: readonly string[],
  tookSeconds: number,
): string {
  const wrong = scores.filter(isWrong);
  const areas = [...Map.groupBy(scores, ({ fault }) => fault.area)].map(([area, all]) => {
    const good = all.filter((score) => !isWrong(score)).length;
    const what = area === 'VARIANT' ? 'variants accepted' : 'mutants violate exactly their clauses';
    return `${area}  ${good} of ${all.length} ${what}\n${all.map(row).join('')}`;
  });
  const missing = unproved.map(
    (probe) => `${probe} catches no mutant that few other probes catch: write one\n`,
  );
  const closing = wrong.length === 0 ? 'all as expected' : `${wrong.length} not as expected`;
  const total = `${scores.length} ${scores.length === 1 ? 'fault' : 'faults'}`;
  return [
    ...areas,
    ...wrong.map(row),
    ...missing,
    `${total}, ${closing}, ${tookSeconds.toFixed(1)} s\n`,
  ]
    .map((section) => `\n${section}`)
    .join('');
}

async function main(args: readonly string[]): Promise<number> {
  const options = {
    json: { type: 'boolean' },
    network: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = readCommandLine('npm run mutants', {
    args: [...args],
    allowPositionals: true,
    options,
  });
  const due = select(positionals);
  const began = performance.now();
  const scores = await tryAll(due, values.network);
  const unproved = due === faultCases ? unprovedProbes(scores) : [];
  const tookSeconds = (performance.now() - began) / 1000;
  print(
    values.json === true ? `${JSON.stringify(scores)}\n` : report(scores, unproved, tookSeconds),
  );
  return unproved.length > 0 || scores.some(isWrong) ? 1 : 0;
}

if (isMainThread && import.meta.main) await runCommand(main, help);

/** A worker thread tries the faults that it receives, one after the other. */
if (!isMainThread)
  parentPort?.on('message', async (fault: FaultCase) => {
    parentPort?.postMessage(await judgeFault(fault, workerData.network));
  });
