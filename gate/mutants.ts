import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { print, runCommand } from '../contract/command.ts';
import { progress } from '../contract/report/progress.ts';
import { type TerminalStyle, terminalStyleOf } from '../contract/report/terminal-style.ts';
import { readCommandLine, WrongArguments } from '../settings/command-line.ts';
import { writeExpectations } from './expectations.ts';
import { type MutantCase, mutantCases, runMutant, type Score } from './mutant-case.ts';

const help = `The suite's own score: each fault of the sandbox is switched on, and all probes judge it.

  npm run mutants                     every mutant is caught by exactly the expected probes; no variant is reported
  npm run mutants -- EXPIRY slides    an area (TOKEN, BEARER, ERROR, EXPIRY, VARIANT) or a fault's name
  npm run mutants -- --json           the table as data
  npm run mutants -- --network        over sockets; by default only connection faults use one
  npm run mutants -- --update         writes the results to tests/mutants.json: review the diff before you commit it

Exit codes: 0 all as expected · 1 a mutant survived, a variant was flagged, or the wrong probes caught it · 2 wrong arguments
`;

/** The differences from the expectations: one line for each. */
export function complaints({ mutant, breaks, caughtBy, trouble }: Score): string[] {
  const variant = mutant.area === 'VARIANT';
  if (!variant && breaks.length > 0 && mutant.breaks.length + mutant.caughtBy.length === 0)
    return [`has no expectation yet: npm run mutants -- --update ${mutant.name}`];
  const missed = mutant.caughtBy.filter((name) => !caughtBy.includes(name));
  const unnamed = caughtBy.filter((name) => !mutant.caughtBy.includes(name));
  const named = [...mutant.breaks].sort().join(' ');
  const found = [...breaks].sort().join(' ');
  return [
    ...(trouble === undefined ? [] : [trouble.split('\n')[0] ?? '']),
    ...(variant && found !== '' ? [`falsely violates ${found} by ${caughtBy.join(', ')}`] : []),
    ...(!variant && found === '' ? ['survived'] : []),
    ...(!variant && found !== '' && found !== named ? [`breaks ${found}, named are ${named}`] : []),
    ...(!variant && found !== '' && missed.length > 0 ? [`not seen by ${missed.join(', ')}`] : []),
    ...(!variant && unnamed.length > 0 ? [`also seen by ${unnamed.join(', ')}`] : []),
  ];
}

/** Tries faults on as many threads as there are processors. */
async function tryAll(
  due: readonly MutantCase[],
  network: boolean,
  onScore: (score: Score) => void,
): Promise<Score[]> {
  const queue = due.map(({ name }) => name).values();
  const scores: Score[] = [];
  const thread = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(new URL(import.meta.url), { workerData: { network } });
      const next = (): void => {
        const { done, value } = queue.next();
        worker.postMessage(done === true ? undefined : value);
      };
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
  return due.flatMap(({ name }) => scores.filter(({ mutant }) => mutant.name === name));
}

function select(words: readonly string[]): readonly MutantCase[] {
  const unknown = words.find(
    (word) => !mutantCases.some((mutant) => mutant.name === word || mutant.area === word),
  );
  if (unknown !== undefined)
    throw new WrongArguments(
      `unknown fault or area ${JSON.stringify(unknown)}: npm run sandbox -- --faults lists all faults`,
    );
  if (words.length === 0) return mutantCases;
  return mutantCases.filter(({ name, area }) => words.includes(name) || words.includes(area));
}

function row(score: Score, { paint }: TerminalStyle): string {
  const { mutant, breaks, caughtBy } = score;
  const wrong = complaints(score);
  const sign = wrong.length === 0 ? paint('green', '✓') : paint('red', '✗');
  const others = caughtBy.length > 1 ? ` and ${caughtBy.length - 1} more` : '';
  const by = caughtBy.length === 0 ? '' : `${caughtBy[0]}${others}`;
  const result =
    mutant.area === 'VARIANT' ? 'accepted' : `${breaks.join(' ')}  ${paint('dim', by)}`;
  const lines = wrong.map((why) => `    ${paint('red', why)}\n`).join('');
  return `  ${sign} ${mutant.name.padEnd(38)}  ${result}\n${lines}`;
}

function summary(scores: readonly Score[]): string {
  return [...Map.groupBy(scores, ({ mutant }) => mutant.area)]
    .map(([area, all]) => {
      const good = all.filter((score) => complaints(score).length === 0).length;
      const what =
        area === 'VARIANT' ? 'variants accepted' : 'mutants caught by exactly the expected probes';
      return `  ${area.padEnd(8)} ${good} of ${all.length} ${what}\n`;
    })
    .join('');
}

async function main(args: readonly string[]): Promise<number> {
  const options = {
    help: { type: 'boolean', short: 'h' },
    json: { type: 'boolean' },
    update: { type: 'boolean' },
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
    step({
      name: score.mutant.name,
      total: due.length,
      isBroken: complaints(score).length > 0,
    }),
  ).finally(end);
  if (values.update === true) return update(scores);
  const exit = scores.some((score) => complaints(score).length > 0) ? 1 : 0;
  if (values.json === true) print(`${JSON.stringify(scores)}\n`);
  else report(scores, (performance.now() - began) / 1000);
  return exit;
}

const remedy = `Correct the probe or the fault. If what was found is right:
npm run mutants -- --update, and review the difference in tests/mutants.json.`;

/** Prints each area, the counts, the unexpected results, and a closing line. */
function report(scores: readonly Score[], tookSeconds: number): void {
  const style = terminalStyleOf(process.stdout);
  const failed = scores.filter((score) => complaints(score).length > 0);
  for (const [area, all] of Map.groupBy(scores, ({ mutant }) => mutant.area))
    print(`\n${area}\n${all.map((score) => row(score, style)).join('')}`);
  print(`\n${summary(scores)}`);
  if (failed.length > 0) print(`\n${failed.map((score) => row(score, style)).join('')}`);
  if (failed.length > 0) print(`\n${remedy}\n`);
  const closing = failed.length === 0 ? 'all as expected' : `${failed.length} not as expected`;
  print(
    `\n${scores.length} ${scores.length === 1 ? 'fault' : 'faults'}, ${closing}, ${tookSeconds.toFixed(1)} s\n`,
  );
}

/**
 * Replaces the expectations of the mutants that ran, except for survivors and failures. A flagged variant is an
 * error.
 */
function update(scores: readonly Score[]): number {
  const wrong = scores.filter(
    ({ mutant, breaks, trouble }) =>
      trouble !== undefined || (breaks.length === 0) !== (mutant.area === 'VARIANT'),
  );
  const found = new Map(scores.map((score) => [score.mutant.name, score]));
  const known = mutantCases
    .filter(
      ({ area, name }) => area !== 'VARIANT' && !wrong.some(({ mutant }) => mutant.name === name),
    )
    .map(({ name, breaks, caughtBy }) => ({ name, ...(found.get(name) ?? { breaks, caughtBy }) }));
  writeExpectations(
    Object.fromEntries(known.map(({ name, breaks, caughtBy }) => [name, { breaks, caughtBy }])),
  );
  for (const score of wrong) print(row(score, terminalStyleOf(process.stdout)));
  print(`${known.length} expectations in tests/mutants.json\n`);
  return wrong.length > 0 ? 1 : 0;
}

if (isMainThread && import.meta.main) await runCommand(main);

/** A worker thread tries the faults that it receives, one after the other. */
if (!isMainThread)
  parentPort?.on('message', async (name: string | undefined) => {
    const mutant = mutantCases.find((one) => one.name === name);
    if (mutant === undefined) parentPort?.close();
    else parentPort?.postMessage(await runMutant(mutant, workerData.network));
  });
