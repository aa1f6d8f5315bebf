import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import { right } from '../../sandbox/behaviour.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';
import { listening } from '../client/stage.ts';
import { processesWith } from '../process.ts';
import { expect, naming, namingWithoutClock, type Reporting, startGate, test } from './process.ts';

/** Longer than any test waits: a gate that ends has not waited for an answer. */
const holdMs = 600_000;

/**
 * A provider that delays every request once its clock is stopped, so that a signal arrives in the middle of a round.
 * @param isStopped whether its clock is stopped
 */
async function holdingProvider(isStopped: (sandbox: Sandbox) => boolean) {
  const { promise: held, resolve } = Promise.withResolvers<void>();
  let sandbox: Sandbox | undefined;
  const arrived = (): number => {
    if (sandbox === undefined || !isStopped(sandbox)) return 0;
    resolve();
    return holdMs;
  };
  sandbox = await startSandbox({ behaviour: { ...right, arrived } });
  return { ...sandbox, held };
}

const isReal = ({ clock }: Pick<Sandbox, 'clock'>): boolean =>
  Math.abs(clock.now() - Date.now()) < 5_000;

/** Starts the gate with a probe in simulated time and its own temporary folder. `left` lists what it leaves there. */
function start(
  folder: string,
  env: Readonly<Record<string, string>>,
): Reporting & { left(): string[] } {
  const temporary = path.join(folder, 'tmp');
  mkdirSync(temporary);
  const gate = startGate(folder, ['the-end-is-exact'], { ...env, TMPDIR: temporary });
  // Playwright keeps its compiled files for the next run.
  const left = () => readdirSync(temporary).filter((name) => !/-cache/.test(name));
  return { ...gate, left };
}

/** Checks that no verdict is written, except what Playwright says of the interrupted tests. */
const expectNoReport = (folder: string): void =>
  expect(readdirSync(path.join(folder, 'reports'))).toEqual(['playwright', 'playwright-html']);

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  test(`${signal} releases the clock without waiting for answers, and leaves nothing behind`, async ({
    folder,
  }) => {
    await using provider = await holdingProvider((sandbox) => !isReal(sandbox));
    const env = { ...naming(provider), PUBLIC_API_TIMEOUT_MS: `${holdMs}` };
    const { child, ended, left } = start(folder, env);
    await provider.held;
    expect(isReal(provider)).toBe(false);
    expect(left()).toEqual([expect.stringMatching(/^gate-/)]);
    expect(processesWith(folder)?.length ?? 3).toBeGreaterThan(1);
    child.kill(signal);
    expect(await ended).toMatchObject({ exit: 130, stdout: '', stderr: 'interrupted\n' });
    expect(isReal(provider)).toBe(true);
    expect(left()).toEqual([]);
    expect(processesWith(folder) ?? []).toEqual([]);
    expectNoReport(folder);
  });

test('a clock file is released too', async ({ folder }) => {
  const file = path.join(folder, 'clock');
  writeFileSync(file, '+0\n');
  await using provider = await holdingProvider(() => readFileSync(file, 'utf8') !== '+0\n');
  const { child, ended } = start(folder, {
    ...namingWithoutClock(provider.baseUrl, provider.state.account),
    PUBLIC_API_CLOCK_FILE: file,
  });
  await provider.held;
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exit: 130, stderr: 'interrupted\n' });
  expect(readFileSync(file, 'utf8')).toBe('+0\n');
  expectNoReport(folder);
});

/** A test clock that moves nothing. The test decides how it answers when the gate releases it. */
async function stubbornClock(onDelete: (response: http.ServerResponse) => void) {
  let stoppedAt: string | undefined;
  const { promise: releasing, resolve } = Promise.withResolvers<void>();
  const server = http.createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    if (request.method === 'DELETE') {
      onDelete(response);
      return resolve();
    }
    if (request.method === 'PUT') stoppedAt = JSON.parse(body).now;
    response.end(JSON.stringify({ now: stoppedAt ?? new Date().toISOString() }));
  });
  const url = await listening(server);
  return {
    url,
    isStopped: () => stoppedAt !== undefined,
    releasing,
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

test('a clock that cannot be released is reported', async ({ folder }) => {
  await using clock = await stubbornClock((response) => response.writeHead(500).end());
  await using provider = await holdingProvider(clock.isStopped);
  const env = { ...naming(provider), PUBLIC_API_CLOCK_URL: clock.url.href };
  const { child, ended } = start(folder, env);
  await provider.held;
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({
    exit: 130,
    stderr: `interrupted, but test clock ${clock.url.href}: DELETE answered 500\n`,
  });
});

test('a second signal ends the gate at once, whatever it waits for', async ({ folder }) => {
  await using clock = await stubbornClock(() => {});
  await using provider = await holdingProvider(clock.isStopped);
  const env = { ...naming(provider), PUBLIC_API_CLOCK_URL: clock.url.href };
  const { child, ended, left } = start(folder, env);
  await provider.held;
  child.kill('SIGINT');
  await clock.releasing;
  expect(child.exitCode).toBe(null);
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ exit: 130, stdout: '', stderr: '' });
  expect(left()).toEqual([]);
  await expect.poll(() => processesWith(folder) ?? []).toEqual([]);
});

/** The id of the worker's process: the one of its run that is not the main process. */
const workerOf = (folder: string, main: number | undefined): number =>
  Number(processesWith(folder)?.find((id) => id !== String(main)));

// Processes are found in /proc.
if (process.platform === 'linux') {
  test('the main process releases the clock of a worker that was killed, and calls it a defect', async ({
    folder,
  }) => {
    await using provider = await holdingProvider((sandbox) => !isReal(sandbox));
    const { child, ended, left } = start(folder, naming(provider));
    await provider.held;
    process.kill(workerOf(folder, child.pid), 'SIGKILL');
    const { exit, stderr } = await ended;
    expect(exit).toBe(3);
    expect(stderr).toMatch(/worker process exited unexpectedly .*\nThis is a defect of the suite/s);
    expect(isReal(provider)).toBe(true);
    expect(left()).toEqual([]);
  });

  test('a worker releases the clock when the main process was killed, and ends', async ({
    folder,
  }) => {
    await using provider = await holdingProvider((sandbox) => !isReal(sandbox));
    const { child } = start(folder, naming(provider));
    await provider.held;
    child.kill('SIGKILL');
    await expect.poll(() => isReal(provider)).toBe(true);
    await expect.poll(() => processesWith(folder)).toEqual([]);
  });
}
