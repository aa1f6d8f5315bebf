import path from 'node:path';
import { expect, test } from '../test.ts';
import { findAddress, startMonitor, watching } from './process.ts';
import { account, startProvider } from './provider.ts';
import { sample, targetsAt, targetsFile } from './targets-file.ts';

test('the targets are read again on SIGHUP and on POST /-/reload, all or nothing, and a failure is shown meanwhile', async () => {
  await using provider = await startProvider();
  const file = targetsFile(provider.baseUrl);
  file.name('one', 'two');
  await using monitor = startMonitor(file.env);
  const page = await findAddress(monitor);
  const at = async (path: string) => (await fetch(new URL(path, page))).text();
  const note = async () => /<p class="note">(The last reload .*?)<a/s.exec(await at('/'))?.[1];
  const problem = async () => JSON.parse(await at('/status.json')).reloadProblem;
  const successful = () => sample(page, 'contract_monitor_config_last_reload_successful');
  const reload = async () => {
    const answer = await fetch(new URL('/-/reload', page), { method: 'POST' });
    return { status: answer.status, text: await answer.text() };
  };
  expect(await targetsAt(page)).toEqual(['one', 'two']);
  expect(await note()).toBeUndefined();
  expect(await problem()).toBeUndefined();

  await test.step('a wrong file is refused as a whole, and shown', async () => {
    file.write(`targets:\n  - { name: one, ulr: x, secretKey: ${account.secretKey} }\n`);
    const refused = { status: 422, text: expect.stringContaining('did you mean url?') };
    expect(await reload()).toEqual(refused);
    expect(await targetsAt(page)).toEqual(['one', 'two']);
    expect(await successful()).toMatch(/ 0$/);
    await expect.poll(problem).toMatch(/targets\.yaml:2:5: targets\[0\]\.url is missing$/);
    await expect
      .poll(note)
      .toContain(`failed: <code>${await problem()}</code>. The monitor goes on`);
    for (const path of ['/', '/targets/one', '/status.json'])
      expect(await at(path)).not.toContain(account.secretKey);
  });

  await test.step('SIGHUP reads a right one', async () => {
    file.name('two', 'three');
    process.kill(monitor.pid, 'SIGHUP');
    await expect.poll(() => targetsAt(page)).toEqual(['two', 'three']);
    await expect.poll(successful).toMatch(/ 1$/);
    await expect.poll(note).toBeUndefined();
    expect(await problem()).toBeUndefined();
    expect(await reload()).toEqual({ status: 200, text: 'watching 2 from now on\n' });
  });
  expect(monitor.stdout()).not.toContain(account.secretKey);
  expect(await monitor.stop()).toBe(0);
});

test('a monitor has its token, and a second one on its state file ends with one line and exit code 2', async () => {
  await using provider = await startProvider();
  const file = targetsFile(provider.baseUrl);
  const env = {
    ...watching(provider.baseUrl),
    MONITOR_STATE: path.join(file.folder, 'monitor.sqlite'),
    MONITOR_AUTH_TOKEN: 'planted-TOKEN-of-the-monitor-93ab',
  };
  await using first = startMonitor(env);
  const page = await findAddress(first);
  const requestStatus = async (route: string) => (await fetch(new URL(route, page))).status;
  expect(await requestStatus('/sd')).toBe(401);
  expect(await requestStatus('/-/healthy')).toBe(200);
  await using second = startMonitor(env);
  expect(await second.ended).toBe(2);
  expect(second.stderr()).toMatch(/^.*monitor\.sqlite.*another.*\n$/);
  expect(await first.stop()).toBe(0);
  expect(first.stdout() + first.stderr()).not.toContain(env.MONITOR_AUTH_TOKEN);
});

test('--check prints the plan, or the position of a mistake, and starts nothing', async () => {
  const file = targetsFile(new URL('http://127.0.0.1:1'));
  file.name('one');
  await using right = startMonitor(file.env, ['--check']);
  expect(await right.ended).toBe(0);
  expect(right.stdout()).toContain('one            http://127.0.0.1:1/');
  file.write('targets: []\n');
  await using wrong = startMonitor(file.env, ['--check']);
  expect(await wrong.ended).toBe(2);
  expect(wrong.stderr()).toMatch(/targets\.yaml:1:1: /);
});
