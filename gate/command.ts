import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { endedEarly, Interruption, interruptedCode } from '../contract/round/interruption.ts';
import { defective, endOf } from '../contract/user-error.ts';
import { WrongArguments } from '../settings/command-line.ts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { playwrightReport, remove, removeEarlierReports } from './earlier.ts';
import { startPlaywright } from './playwright.ts';
import type { RoundVerdicts } from './round-verdicts.ts';
import { serve } from './verdicts.ts';

/*
 * Playwright takes the better part of a second to start. So it is started first, and whatever judges is loaded
 * meanwhile: nothing of that is imported here. What both have compiled is kept for the next time.
 */
const compiled = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url));
enableCompileCache(compiled);

async function main(args: readonly string[]): Promise<number> {
  const options = readArguments(args);
  if (options.help) return print(help);
  return options.list ? list(options) : run(options);
}

async function list({ words }: Arguments): Promise<number> {
  const { listing, select } = await import('../contract/round/selection.ts');
  const { probes } = await import('../probes/index.ts');
  return print(listing(select(probes, words)));
}

async function run(options: Arguments): Promise<number> {
  const signal = endedEarly();
  await removeEarlierReports();
  const hearing = Promise.withResolvers<RoundVerdicts>();
  const verdicts = await serve(hearing.promise);
  const playwright = startPlaywright({ ...verdicts, report: playwrightReport, compiled });
  signal.addEventListener('abort', playwright.kill);
  try {
    const { judgement } = await import('./judgement.ts');
    const { roundVerdictsOf } = await import('./report-verdicts.ts');
    const { nothingJudged } = await import('../contract/report/report.ts');
    const { report, exit } = await judgement(options, signal, (early) =>
      hearing.resolve(roundVerdictsOf(early)),
    );
    const judged = report.clauses.length > 0 && !nothingJudged(report);
    if (!judged) playwright.kill();
    const code = await playwright.ended;
    signal.throwIfAborted();
    if (!judged) await remove(playwrightReport);
    else if (exit === 0 && code !== 0) return defect(`Playwright failed: ${playwright.output()}`);
    return exit;
  } catch (error) {
    if (!(signal.reason instanceof Interruption)) throw error;
    return interrupted(error);
  } finally {
    playwright.kill();
    await playwright.ended;
    verdicts.close();
  }
}

function print(text: string): 0 {
  process.stdout.write(text);
  return 0;
}

function defect(what: string): number {
  process.stderr.write(`${defective(what)}\n`);
  return 3;
}

/** @param error what ended the round: the interruption, or that the provider's clock could not be let go */
function interrupted(error: unknown): number {
  const more =
    error instanceof Interruption ? '' : `, but ${error instanceof Error && error.message}`;
  process.stderr.write(`interrupted${more}\n`);
  return interruptedCode;
}

/** Mistakes of the caller are one line each; anything else is a defect, and shows where. */
async function failed(error: unknown): Promise<number> {
  if (error instanceof WrongArguments) await removeEarlierReports();
  const { text, exit } = endOf(error);
  process.stderr.write(`${text}\n`);
  return exit;
}

// The pipe was closed, for example by `head`: the round, its reports and its exit code are still wanted.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exit(await main(process.argv.slice(2)).catch(failed));
