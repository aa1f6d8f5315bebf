import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fromRoot } from '../process.ts';
import { expect, test } from '../test.ts';
import { findAddress, startMonitor } from './process.ts';

/** The command of `npm start`, in a form that runs from any folder. */
const { scripts }: { scripts: { start: string } } = JSON.parse(
  readFileSync(fromRoot('package.json'), 'utf8'),
);
const start = scripts.start
  .replace(/^node /, `'${process.execPath}' `)
  .replaceAll(/ (?:\.\/)?((?:tools\/setup|monitor)\/\S+)/g, (_, file) => ` '${fromRoot(file)}'`);

const settings = { MONITOR_PORT: '0', MONITOR_STATE: 'none' };

test('SIGUSR1 opens no debugger', async () => {
  await using monitor = startMonitor({});
  const page = await findAddress(monitor);
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

test('npm start gives Node 64 threads, so that names that stall delay no other, unless the user says how many', () => {
  const shown = start.replace(/'[^']*main\.ts'.*/, `-p 'process.env.UV_THREADPOOL_SIZE'`);
  const threads = (env: Record<string, string> = {}) =>
    spawnSync(shown, { shell: true, env: { PATH: process.env.PATH, ...env } }).stdout.toString();
  expect(threads()).toBe('64\n');
  expect(threads({ UV_THREADPOOL_SIZE: '23' })).toBe('23\n');
});
