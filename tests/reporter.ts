import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type {
  FullConfig,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from '@playwright/test/reporter';
import { countOf } from './count.ts';

/** How many tests have ended, and in which time. */
export interface Progress {
  readonly done: number;
  readonly total: number;
  readonly failed: number;
  readonly seconds: number;
}

/** `120 of 4600 tests, 1 failed · 12.0 a second · about 6 min left` */
export function progressLine({ done, total, failed, seconds }: Progress): string {
  const rate = done / Math.max(seconds, 0.001);
  const left = (total - done) / Math.max(rate, 0.001);
  const time = left < 60 ? `${Math.ceil(left)} s` : `${Math.ceil(left / 60)} min`;
  const count = `${done} of ${total} tests${failed > 0 ? `, ${failed} failed` : ''}`;
  const isRunning = done > 0 && done < total;
  return isRunning ? `${count} · ${rate.toFixed(1)} a second · about ${time} left` : count;
}

/**
 * Shows the progress of `npm test`: on a terminal one line with the name of the newest test, in a log one line a
 * minute. Failures are printed as they come. The counts are left in the file that TESTS_COUNT names.
 */
export default class TestsReporter implements Reporter {
  #tests: readonly TestCase[] = [];
  #folder = '';
  #done = 0;
  #failed = 0;
  #startedAt = 0;
  #timer: NodeJS.Timeout | undefined;
  readonly #errors: TestError[] = [];

  onBegin({ rootDir }: FullConfig, suite: Suite): void {
    this.#tests = suite.allTests();
    this.#folder = rootDir;
    this.#startedAt = performance.now();
    if (!process.stdout.isTTY) this.#timer = setInterval(() => this.#print(this.#line()), 60_000);
  }

  onTestEnd(test: TestCase, { status, errors }: TestResult): void {
    this.#done += 1;
    const name = `${path.relative(this.#folder, test.location.file)} › ${test.title}`;
    if (status !== test.expectedStatus && status !== 'skipped') {
      this.#failed += 1;
      this.#print(`\n${name}`, ...errors.map(inFull));
    }
    if (!process.stdout.isTTY) return;
    const line = `${this.#line()} · ${name}`.slice(0, process.stdout.columns - 1);
    process.stdout.write(`\r\x1b[2K${line}`);
  }

  onError(error: TestError): void {
    this.#errors.push(error);
    this.#print(inFull(error));
  }

  onStdOut(chunk: string | Buffer): void {
    process.stdout.write(chunk);
  }

  onStdErr(chunk: string | Buffer): void {
    process.stderr.write(chunk);
  }

  onEnd(): void {
    clearInterval(this.#timer);
    this.#print(this.#line());
    const { TESTS_COUNT: file } = process.env;
    if (file === undefined) return;
    const { reasons, ...count } = countOf(this.#folder, this.#tests, this.#errors);
    writeFileSync(file, JSON.stringify({ ...count, reasons: [...reasons] }));
  }

  #line(): string {
    const seconds = (performance.now() - this.#startedAt) / 1000;
    return progressLine({
      done: this.#done,
      total: this.#tests.length,
      failed: this.#failed,
      seconds,
    });
  }

  /** Prints lines in place of the progress on a terminal. */
  #print(...lines: readonly string[]): void {
    process.stdout.write(`${process.stdout.isTTY ? '\r\x1b[2K' : ''}${lines.join('\n')}\n`);
  }
}

/** An error with the place where it was thrown, and the code around it. */
function inFull({ stack, message, value, snippet = '' }: TestError): string {
  const text = `${stack ?? message ?? value}\n${snippet}`;
  return process.stdout.isTTY ? text : stripVTControlCharacters(text);
}
