import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { manyEndpoints, manyFaults } from '../../tests/bench/many-clauses.ts';
import { far } from './far.ts';
import { compared, type Figure, limited, median, ours, shown, timed } from './figure.ts';
import type { Measures } from './selection.ts';
import { type Addressed, argumentsOf, providerOver, settingsFor } from './watching.ts';

const gate = ours('gate/main.ts');

/**
 * The gate, and Playwright with one empty test, alternating, so that both run under the same load.
 * @param args of the gate
 */
async function besidePlaywright(
  folder: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
) {
  const reports = { PLAYWRIGHT_HTML_OPEN: 'never' };
  const run = ['run', 'gate', '--', ...args];
  const [own, empty, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < 6; turn++) {
    const one = await timed(run, folder, env, { command: 'npm' });
    const test = ['playwright', 'test', '--reporter=html'];
    const other = await timed(test, folder, reports, { command: 'npx' });
    // The first turn warms the caches of both.
    if (turn === 0) continue;
    own.push(one);
    empty.push(other);
    ratios.push(one / other);
  }
  const ratio = median(ratios);
  return {
    beside: `beside Playwright with one empty test (${shown(median(empty))}), both through npm`,
    value: `${shown(median(own))}, ${ratio.toFixed(2)} ×`,
    ratio,
  };
}

async function gateOnSandbox(folder: string): Promise<readonly Figure[]> {
  const whole = await besidePlaywright(folder);
  const quick = await besidePlaywright(folder, ['--quick']);
  return [
    limited(`the gate on the sandbox, ${whole.beside}`, whole.value, {
      measured: whole.ratio,
      most: 2,
      unit: '×',
    }),
    limited(`the same with --quick, ${quick.beside}`, quick.value, {
      measured: quick.ratio,
      most: 1.6,
      unit: '×',
    }),
  ];
}

/** The provider runs in the process of the bench, so the gate starts no sandbox. */
async function gateOverHttps(folder: string): Promise<Figure> {
  await using provider = await providerOver('https', folder);
  const { beside, value } = await besidePlaywright(folder, [], withClock(provider));
  return compared(`the gate on a provider over https, ${beside}`, value);
}

const withClock = (provider: Addressed): NodeJS.ProcessEnv => ({
  ...settingsFor(provider),
  PUBLIC_API_CLOCK_URL: provider.clockUrl.href,
});

/** What many failed tests cost Playwright and the reports, beyond the judging. */
async function manyViolations(folder: string): Promise<Figure> {
  await using provider = await providerOver('http', folder, manyFaults);
  const env = { ...withClock(provider), PUBLIC_API_ENDPOINTS: manyEndpoints };
  const seconds = await timed([gate], folder, env, { codes: [1] });
  const { startedAt, finishedAt, clauses } = JSON.parse(
    readFileSync(path.join(folder, 'reports/gate.json'), 'utf8'),
  );
  const count = clauses.filter(({ verdict }: { verdict: string }) => verdict === 'violated').length;
  if (count < 20) throw new Error(`only ${count} clauses are violated`);
  const beyond = seconds - (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000;
  return limited(`a gate with ${count} violated clauses, beyond the judging`, shown(beyond), {
    measured: beyond,
    most: 8,
    unit: 's',
  });
}

/** Thirty endpoints: with one wrong word in every refusal, beside the correct provider. */
async function thirtyEndpoints(folder: string): Promise<Figure> {
  const paths = Array.from({ length: 30 }, (_, index) => `/public-api/v1/things/${index}`);
  const serving: Behaviour = {
    ...right,
    route: ({ method, path: asked }) =>
      method === 'GET' && paths.includes(asked)
        ? { method, path: asked, reply: { status: 200, json: { things: [] } } }
        : undefined,
  };
  const message = 'Invalid or expired token.';
  const wrong: Behaviour = {
    ...serving,
    unauthorised: () => ({ status: 401, json: { success: false, message } }),
  };
  await using green = await providerOver('http', folder, serving);
  await using red = await providerOver('http', folder, wrong);
  const PUBLIC_API_ENDPOINTS = paths.map((one) => `GET ${one}`).join(', ');
  const ratios: number[] = [];
  for (let turn = 0; turn < 3; turn++) {
    const one = await timed([gate], folder, { ...withClock(green), PUBLIC_API_ENDPOINTS });
    const env = { ...withClock(red), PUBLIC_API_ENDPOINTS };
    ratios.push((await timed([gate], folder, env, { codes: [1] })) / one);
  }
  const ratio = median(ratios);
  const what = 'thirty endpoints with one wrong word in each refusal, beside the correct provider';
  return limited(what, `${ratio.toFixed(2)} ×`, { measured: ratio, most: 1.5, unit: '×' });
}

/** A command against a provider that is 50 milliseconds away. */
async function fromAfar(
  folder: string,
  { what, args, most }: { what: string; args: readonly string[]; most: number },
): Promise<Figure> {
  await using sandbox = await startSandbox();
  using distant = await far(Number(sandbox.baseUrl.port), 50);
  const baseUrl = new URL(`http://127.0.0.1:${distant.port}`);
  const seconds = await timed(args, folder, {
    ...settingsFor({ baseUrl, state: sandbox.state }),
    PUBLIC_API_CLOCK_URL: new URL(sandbox.clockUrl.pathname, baseUrl).href,
  });
  const limit = { measured: seconds, most, unit: 's' };
  return limited(`${what} against a provider that is 50 ms away`, shown(seconds), limit);
}

async function allMutants(folder: string): Promise<Figure> {
  const seconds = await timed([ours('tests/faults/main.ts')], folder);
  const limit = { measured: seconds, most: 60, unit: 's' };
  return limited('all mutants and variants', shown(seconds), limit);
}

export const ofTheGate: Measures = {
  sandbox: gateOnSandbox,
  https: gateOverHttps,
  violated: manyViolations,
  thirty: thirtyEndpoints,
  afar: (folder) => fromAfar(folder, { what: 'the gate', args: [gate], most: 30 }),
  'quick-afar': (folder) =>
    fromAfar(folder, { what: 'the gate with --quick', args: [gate, '--quick'], most: 5 }),
  'probe-afar': (folder) =>
    fromAfar(folder, { what: 'npm run probe', args: argumentsOf('probe'), most: 10 }),
  mutants: allMutants,
};
