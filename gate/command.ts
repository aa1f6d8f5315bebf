import { print, runCommand } from '../contract/command.ts';
import { endedEarly, interruptedBy } from '../contract/round/interruption.ts';
import { defective } from '../contract/user-error.ts';
import { WrongArguments } from '../settings/command-line.ts';
import { type Arguments, help, readArguments } from './arguments.ts';
import { playwrightReport, remove, removeEarlierReports } from './earlier-reports.ts';
import { startPlaywright } from './playwright.ts';
import type { RoundVerdicts } from './round-verdicts.ts';
import { serveVerdicts } from './verdict-socket.ts';

/*
 * Playwright takes almost a second to start. So it is started first, and the judging code is loaded meanwhile:
 * this file imports none of it.
 */
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
  const roundVerdicts = Promise.withResolvers<RoundVerdicts>();
  const verdicts = await serveVerdicts(roundVerdicts.promise);
  const playwright = startPlaywright({ ...verdicts, report: playwrightReport });
  signal.addEventListener('abort', playwright.kill);
  try {
    const { judgement } = await import('./judgement.ts');
    const { roundVerdictsOf } = await import('./round-verdicts.ts');
    const { nothingJudged } = await import('../contract/report/report.ts');
    const { report, exit } = await judgement(options, signal, (early) =>
      roundVerdicts.resolve(roundVerdictsOf(early)),
    );
    const judged = report.clauses.length > 0 && !nothingJudged(report);
    if (!judged) playwright.kill();
    const code = await playwright.ended;
    signal.throwIfAborted();
    if (!judged) await remove(playwrightReport);
    else if (exit === 0 && code !== 0) return defect(`Playwright failed: ${playwright.output()}`);
    return exit;
  } catch (error) {
    return interruptedBy(error, signal);
  } finally {
    playwright.kill();
    await playwright.ended;
    verdicts.close();
  }
}

function defect(what: string): number {
  process.stderr.write(`${defective(what)}\n`);
  return 3;
}

/**
 * A refused run writes no reports. Reports of an earlier run are removed, because a reader would take them for the
 * verdict of this run.
 */
await runCommand(main, async (error) => {
  if (error instanceof WrongArguments) await removeEarlierReports();
});
