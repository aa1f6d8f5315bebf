import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type * as playwright from '@playwright/test/reporter';
import { commandAgain } from '../config/again.ts';
import { addKnown } from '../config/known-file.ts';
import { knownFile, loadSettings } from '../config/settings.ts';
import type { ExitCode } from '../contract/command.ts';
import { defective, interruptedCode } from '../contract/command.ts';
import { endpointName } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { type Check, createReport, roundJson } from '../contract/report/contract-report.ts';
import { stepOutputs } from '../contract/report/github.ts';
import { pageHtml } from '../contract/report/html.ts';
import { junitXml } from '../contract/report/junit.ts';
import { progress } from '../contract/report/progress.ts';
import { publish } from '../contract/report/write.ts';
import { createRound, type RoundFacts } from '../contract/round/verdict.ts';
import { printableLines } from '../contract/secrets/printable.ts';
import { count, jsonText } from '../contract/words.ts';
import { costText, estimateCost } from './cost.ts';
import * as run from './run.ts';
import { needsSandbox } from './under-test.ts';

/** Writes the report on the clauses in all its forms when Playwright's tests have ended, and sets the exit code. */
export default class GateReporter implements playwright.Reporter {
  readonly #progress = progress(process.stderr, 'probes');
  readonly #errors: string[] = [];
  readonly #checks: Check[] = [];
  #total = 0;
  /** The probes whose tests run. */
  #selected: readonly Probe[] = [];

  onBegin(_: playwright.FullConfig, suite: playwright.Suite): void {
    const titles = suite.allTests().map(({ title }) => title);
    const probes = run.selectedProbes().filter((probe) => titles.includes(run.formatTitle(probe)));
    this.#total = titles.length;
    this.#selected = probes;
    run.shareWithWorkers({ remaining: probes.map(({ name }) => name) });
    const settings = loadSettings();
    if (needsSandbox(settings) || probes.length === 0) return;
    const target = run.targetOfRun(settings);
    process.stderr.write(`${target.name}: ${costText(estimateCost(probes, target), target)}\n`);
  }

  onStdErr(chunk: string | Buffer): void {
    this.#progress.note(`${chunk}`);
  }

  onTestEnd(test: playwright.TestCase, { status, error }: playwright.TestResult): void {
    // The test's fixture has declared the failure as expected, so that Playwright keeps its worker.
    if (status === 'failed' && !test.annotations.some(({ type }) => type === 'fail'))
      test.expectedStatus = 'passed';
    const probe = this.#selected.find((each) => run.formatTitle(each) === test.title);
    if (probe === undefined) this.#checks.push(toCheck(test, error));
    run.shareWithWorkers({
      remaining: run.readShared().remaining?.filter((name) => name !== probe?.name),
    });
    this.#progress.step({ name: test.title, total: this.#total });
    if (/worker process exited/.test(error?.message ?? '')) this.onError(error ?? {});
  }

  onError(error: playwright.TestError): void {
    this.#errors.push(readMessage(error));
  }

  async onEnd({ status }: playwright.FullResult): Promise<void> {
    this.#progress.end();
    const exit = await this.#ended(status, run.readFacts());
    process.once('exit', () => {
      process.exitCode = exit;
    });
  }

  async #ended(status: string, facts: RoundFacts | undefined): Promise<number> {
    const errors = this.#errors.join('\n');
    const failed = (text: string, exit: number): number => {
      process.stderr.write(`${text}\n`);
      return exit;
    };
    if (status === 'interrupted') {
      const more = facts?.clockLost === undefined ? '' : `, but ${facts.clockLost}`;
      return failed(`interrupted${more}`, interruptedCode);
    }
    // Playwright could not load a spec, or nothing is selected.
    if (this.#total === 0) return failed(errors.replace(/^Error: /, ''), 2);
    if (facts === undefined || facts.defect !== undefined)
      return failed(defective(facts?.defect ?? errors), 3);
    const exit = await this.#report(facts);
    return errors === '' ? exit : failed(defective(errors), 3);
  }

  async #report(facts: RoundFacts): Promise<ExitCode> {
    const settings = loadSettings();
    const target = run.targetOfRun(settings);
    const judged = createRound(facts, this.#selected, target, settings.strict);
    const isBroken = this.#checks.some(({ verdict }) => verdict === 'violated');
    const exit = isBroken && judged.exit !== 3 ? 1 : judged.exit;
    const round = { ...judged, exit };
    const endpoints = target.endpoints.map(endpointName);
    const again = commandAgain('gate');
    const context = { target: target.name, endpoints, again, checks: this.#checks };
    const report = createReport(round, context);
    const files = {
      'gate.json': jsonText(roundJson(round, context)),
      'gate.xml': junitXml(report),
      'gate.html': await pageHtml(report),
    };
    const ended = await publish(report, files, {
      exit,
      folder: settings.reports,
      env: process.env,
      outputs: stepOutputs(round, path.resolve(settings.reports)),
    });
    if (run.readShared().updatesKnown !== true) return ended;
    const findings = judged.clauses.flatMap((clause) => clause.findings);
    const file = knownFile();
    const added = await addKnown(file, findings, { endpoints, target: target.nameInFile });
    process.stdout.write(
      `${file}: ${count(added, 'deviation')} added: say why each is tolerated\n`,
    );
    return ended === 1 && !isBroken ? 0 : ended;
  }
}

/** A test of a team. */
function toCheck(test: playwright.TestCase, error: playwright.TestError | undefined): Check {
  const { file, line } = test.location;
  const findNote = (wanted: string): string | undefined =>
    test.annotations.find(({ type }) => type === wanted)?.description;
  const outcome = test.outcome();
  const passed = outcome === 'skipped' ? 'unverified' : 'holds';
  const verdict = outcome === 'unexpected' ? 'violated' : passed;
  const lines = error === undefined ? findNote('skip') : printableLines(readMessage(error));
  return {
    title: test.titlePath().slice(3).join(' › '),
    place: findNote('place') ?? `${path.relative('.', file)}:${line}`,
    verdict,
    findings: lines?.split('\n') ?? [],
  };
}

const readMessage = ({ message = '', value = '' }: playwright.TestError): string =>
  stripVTControlCharacters(message || value);
