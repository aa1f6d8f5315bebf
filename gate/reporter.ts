import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type {
  FullConfig,
  FullResult,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import type { ExitCode } from '../contract/command.ts';
import { endpointName } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import type { Check } from '../contract/report/contract-report.ts';
import { formsOf } from '../contract/report/forms.ts';
import { progress } from '../contract/report/progress.ts';
import { publish } from '../contract/report/write.ts';
import { interruptedCode } from '../contract/round/interruption.ts';
import { roundOf } from '../contract/round/round.ts';
import { printableLines } from '../contract/secrets/printable.ts';
import { defective } from '../contract/user-error.ts';
import { environmentOf, loadSettings } from '../settings.ts';
import { folder } from './earlier-reports.ts';
import {
  probesOfRun,
  readFacts,
  remainingVariable,
  setProbes,
  targetOfRun,
  titleOf,
  type WorkerFacts,
} from './run.ts';

/** Writes the report on the clauses in all its forms when Playwright's tests have ended, and sets the exit code. */
export default class GateReporter implements Reporter {
  readonly #progress = progress(process.stderr, 'probes');
  readonly #errors: string[] = [];
  readonly #checks: Check[] = [];
  #selected: readonly Probe[] = [];
  #total = 0;
  #remaining = new Set<string>();

  onBegin(_: FullConfig, suite: Suite): void {
    this.#remaining = new Set(suite.allTests().map(({ title }) => title));
    this.#total = this.#remaining.size;
    this.#selected = probesOfRun().probes.filter((probe) => this.#remaining.has(titleOf(probe)));
    setProbes(remainingVariable, this.#selected);
  }

  onTestEnd(test: TestCase, { status, error }: TestResult): void {
    // The test's fixture has declared the failure as expected, so that Playwright keeps its worker.
    if (status === 'failed' && !test.annotations.some(({ type }) => type === 'fail'))
      test.expectedStatus = 'passed';
    this.#remaining.delete(test.title);
    const remaining = this.#selected.filter((probe) => this.#remaining.has(titleOf(probe)));
    setProbes(remainingVariable, remaining);
    this.#progress.step({ name: test.title, total: this.#total, isBroken: status === 'failed' });
    if (!this.#selected.some((probe) => titleOf(probe) === test.title))
      this.#checks.push(checkOf(test, error));
    if (/worker process exited/.test(error?.message ?? '')) this.onError(error ?? {});
  }

  onError(error: TestError): void {
    this.#errors.push(messageOf(error));
  }

  async onEnd({ status }: FullResult): Promise<void> {
    this.#progress.end();
    const exit = await this.#ended(status, readFacts());
    process.once('exit', () => {
      process.exitCode = exit;
    });
  }

  async #ended(status: FullResult['status'], facts: WorkerFacts | undefined): Promise<number> {
    if (status === 'interrupted') {
      const { unreleased } = facts ?? {};
      const more = unreleased === undefined ? '' : `, but ${unreleased}`;
      process.stderr.write(`interrupted${more}\n`);
      return interruptedCode;
    }
    const errors = this.#errors.join('\n');
    // Playwright could not load a spec, or nothing is selected.
    if (this.#total === 0) {
      process.stderr.write(`${errors.replace(/^Error: /, '')}\n`);
      return 2;
    }
    const defect = facts === undefined ? errors : facts.defect;
    if (facts === undefined || defect !== undefined) {
      process.stderr.write(`${defective(defect ?? '')}\n`);
      return 3;
    }
    return this.#report(facts);
  }

  async #report(facts: WorkerFacts): Promise<ExitCode> {
    const settings = loadSettings();
    const { strict } = settings;
    const { name, target } = targetOfRun(settings);
    const round = roundOf(facts, this.#selected, target, { strict });
    const isBroken = this.#checks.some(({ verdict }) => verdict === 'violated');
    const exit = isBroken && round.exit !== 3 ? 1 : round.exit;
    const forms = formsOf(
      { ...round, exit },
      {
        target: name,
        endpoints: target.endpoints.map(endpointName),
        again: `${environmentOf('gate')}npm run gate --`,
        tookSeconds: (facts.finishedAt.getTime() - facts.startedAt.getTime()) / 1000,
        checks: this.#checks,
      },
    );
    const crashed = this.#errors.length > 0;
    if (crashed) process.stderr.write(`${defective(this.#errors.join('\n'))}\n`);
    return publish(forms, { exit: crashed ? 3 : exit, folder, env: process.env });
  }
}

/** A test of a team. */
function checkOf(test: TestCase, error: TestError | undefined): Check {
  const { file, line } = test.location;
  const verdicts = {
    expected: 'holds',
    skipped: 'unverified',
    unexpected: 'violated',
    flaky: 'violated',
  } as const;
  return {
    title: test.titlePath().slice(3).join(' › '),
    place: `${path.relative('.', file)}:${line}`,
    verdict: verdicts[test.outcome()],
    findings: error === undefined ? [] : printableLines(messageOf(error)).split('\n'),
  };
}

const messageOf = ({ message = '', value = '' }: TestError): string =>
  stripVTControlCharacters(message || value);
