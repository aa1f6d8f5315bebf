import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { outputOf } from '../contract/process-output.ts';
import { socketVariable } from './verdict-socket.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const windows = process.platform === 'win32';
const mostOutput = 4_000;

/** Megabytes for young objects from the start: growing to them takes a sixth of the time that Playwright loads. */
const youngMemory = '--min-semi-space-size=16';

/**
 * Playwright, which runs one test for each clause; each test waits for its verdict. Together they make its HTML
 * report.
 */
export interface Playwright {
  /** Resolves with the exit code; 1 when it was killed or did not start. */
  readonly ended: Promise<number>;
  output(): string;
  /** Ends it and its workers at once. */
  kill(): void;
}

interface PlaywrightOptions {
  /** Where the tests fetch their verdicts. */
  readonly address: string;
  /** The folder of its HTML report. */
  readonly report: string;
  /** A folder that it may empty and fill. */
  readonly scratch: string;
}

/**
 * Starts Playwright in parallel with the round: both take about as long. It runs in a process group of its own,
 * so that Ctrl-C at a terminal reaches only the gate, which then ends it and all its children.
 */
export function startPlaywright({ address, report, scratch }: PlaywrightOptions): Playwright {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const args = ['--project=gate', '--workers=1', '--reporter=html', '--output', scratch];
  const child = spawn(process.execPath, [youngMemory, cli, 'test', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !windows,
    env: {
      ...process.env,
      [socketVariable]: address,
      PLAYWRIGHT_HTML_OPEN: 'never',
      PLAYWRIGHT_HTML_OUTPUT_DIR: path.resolve(report),
    },
  });
  const output = outputOf(child, mostOutput);
  let failure = '';
  const ended = new Promise<number>((resolve) => {
    child.once('close', (code) => resolve(code ?? 1));
    child.once('error', ({ message }) => {
      failure = message;
      resolve(1);
    });
  });
  const kill = (): void => killGroup(child);
  process.once('exit', kill);
  return { ended, output: () => `${output()}${failure}`, kill };
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  try {
    if (windows) child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // The process has just ended.
  }
}
