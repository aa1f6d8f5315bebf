import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { ours, startNode } from '../process.ts';
import { addressOf, startMonitor } from './process.ts';
import { startProvider } from './provider.ts';
import { targetsFile } from './targets-file.ts';

/** The command of `npm start`, in a form that runs from any folder. */
const { scripts }: { scripts: { start: string } } = JSON.parse(
  readFileSync(ours('package.json'), 'utf8'),
);
const start = scripts.start
  .replace(/^node /, `'${process.execPath}' `)
  .replaceAll(/ (?:\.\/)?((?:tools\/setup|monitor)\/\S+)/g, (_, file) => ` '${ours(file)}'`);

const settings = { MONITOR_PORT: '0', MONITOR_STATE: 'none' };

test('a SIGHUP that arrives during start-up does not end the monitor', async () => {
  await using provider = await startProvider();
  const file = targetsFile(provider.baseUrl);
  file.name('one');
  const [, ...args] = start.replaceAll("'", '').split(' ');
  const main = args.pop() ?? '';
  const hangUp = `data:text/javascript,process.kill(process.pid,'SIGHUP')`;
  await using monitor = startNode(
    test.info().outputPath('.'),
    [...args, '--import', hangUp, main],
    { ...file.env, ...settings },
  );
  const message = await Promise.race([
    monitor.line(/"msg":"(watching one):/),
    monitor.ended.then(({ exit }) => exit),
  ]);
  expect(message).toBe('watching one');
});

test('SIGUSR1 opens no debugger', async () => {
  await using monitor = startMonitor({});
  const page = await addressOf(monitor);
  process.kill(monitor.pid, 'SIGUSR1');
  expect((await fetch(new URL('/-/ready', page))).status).toBe(200);
  expect(await monitor.stop()).toBe(0);
  expect(monitor.stderr()).toBe('');
});

test('SIGTERM to npm start ends the monitor too', async () => {
  const folder = test.info().outputPath('.');
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ scripts: { start } }));
  const npm = spawn('npm', ['start'], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, NO_UPDATE_NOTIFIER: '1', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
    // npm gets its own process group, so that a failed test can end all its processes.
    detached: true,
  });
  let message = '';
  let isClosed = false;
  npm.stdout.setEncoding('utf8').on('data', (text: string) => {
    message += text;
  });
  // Every process that npm started keeps the pipe open until it ends.
  npm.once('close', () => {
    isClosed = true;
  });
  try {
    await expect.poll(() => message).toContain('"page":');
    const page = /"page":"([^"]+)"/.exec(message)?.[1] ?? '';
    npm.kill('SIGTERM');
    await expect.poll(() => isClosed).toBe(true);
    expect(message).toContain('"msg":"stopped"');
    await expect(fetch(page)).rejects.toThrow('fetch failed');
  } finally {
    if (!isClosed) process.kill(-(npm.pid ?? Number.NaN), 'SIGKILL');
  }
});
