import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sandboxEndpoints, startSandbox } from '../sandbox/provider.ts';
import { far } from './far.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A figure of README's table. */
interface Figure {
  readonly what: string;
  readonly value: string;
  readonly bound: string;
  readonly kept: boolean;
}

/** Runs a program to its end. @returns seconds */
async function timed(
  args: readonly string[],
  cwd: string,
  env: NodeJS.ProcessEnv = {},
): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, args, {
    cwd,
    stdio: 'ignore',
    env: { ...process.env, ...env },
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject).once('exit', resolve);
  });
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}`);
  return (performance.now() - began) / 1000;
}

const median = (values: readonly number[]): number =>
  [...values].sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const shown = (seconds: number): string => `${seconds.toFixed(2)} s`;

/** The gate, and Playwright with one empty test, in turn, so that both meet the same machine. */
async function gateBesidePlaywright(folder: string, gate: string): Promise<Figure> {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const [own, empty, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < 6; turn++) {
    const [one, other] = [
      await timed([gate], folder),
      await timed([cli, 'test', '--reporter=html'], folder, { PLAYWRIGHT_HTML_OPEN: 'never' }),
    ];
    // The first turn warms the caches of both.
    if (turn === 0) continue;
    own.push(one);
    empty.push(other);
    ratios.push(one / other);
  }
  const ratio = median(ratios);
  return {
    what: `the gate on the sandbox, beside Playwright with one empty test (${shown(median(empty))})`,
    value: `${shown(median(own))}, ${ratio.toFixed(2)} ×`,
    bound: '1.5 ×',
    kept: ratio <= 1.5,
  };
}

/** The gate against a provider that is so many milliseconds away. */
async function gateFromAfar(folder: string, gate: string, roundTripMs: number): Promise<Figure> {
  const sandbox = await startSandbox();
  const distant = await far(Number(sandbox.baseUrl.port), roundTripMs);
  try {
    const { apiKey, secretKey } = sandbox.state.account;
    const seconds = await timed([gate], folder, {
      PUBLIC_API_BASE_URL: `http://127.0.0.1:${distant.port}`,
      PUBLIC_API_KEY: apiKey,
      PUBLIC_API_SECRET_KEY: secretKey,
      PUBLIC_API_ENDPOINTS: sandboxEndpoints
        .map(({ method, path }) => `${method} ${path}`)
        .join(', '),
      PUBLIC_API_CLOCK_URL: `http://127.0.0.1:${distant.port}${sandbox.clockUrl.pathname}`,
    });
    return {
      what: `the gate against a provider that is ${roundTripMs} ms away`,
      value: shown(seconds),
      bound: '30 s',
      kept: seconds <= 30,
    };
  } finally {
    distant.close();
    await sandbox.close();
  }
}

async function allMutants(folder: string): Promise<Figure> {
  const seconds = await timed([path.join(root, 'gate/mutants.ts')], folder);
  return {
    what: 'all mutants and variants',
    value: shown(seconds),
    bound: '60 s',
    kept: seconds <= 60,
  };
}

const empty = `import { test } from '@playwright/test';\ntest('nothing', () => {});\n`;

const folder = await mkdtemp(path.join(os.tmpdir(), 'bench-'));
try {
  await mkdir(path.join(folder, 'tests'));
  await symlink(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(path.join(folder, 'tests/empty.spec.ts'), empty);
  const gate = path.join(root, 'gate/main.ts');
  const measures = [
    gateBesidePlaywright,
    (at: string, it: string) => gateFromAfar(at, it, 50),
    allMutants,
  ];
  for (const measure of measures) {
    const { what, value, bound, kept } = await measure(folder, gate);
    process.stdout.write(`${kept ? '✓' : '✗'} ${what}: ${value} (at most ${bound})\n`);
    if (!kept) process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
