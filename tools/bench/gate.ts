import { fileURLToPath } from 'node:url';
import { startSandbox } from '../../sandbox/provider.ts';
import { far } from './far.ts';
import { compared, type Figure, limited, median, ours, shown, timed } from './figure.ts';
import type { Measures } from './selection.ts';
import { argumentsOf, providerOver, settingsFor } from './watching.ts';

const gate = ours('gate/main.ts');

/** The gate, and Playwright with one empty test, alternating, so that both run under the same load. */
async function besidePlaywright(folder: string, env: NodeJS.ProcessEnv = {}) {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const [own, empty, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < 6; turn++) {
    const one = await timed([gate], folder, env);
    const other = await timed([cli, 'test', '--reporter=html'], folder, {
      PLAYWRIGHT_HTML_OPEN: 'never',
    });
    // The first turn warms the caches of both.
    if (turn === 0) continue;
    own.push(one);
    empty.push(other);
    ratios.push(one / other);
  }
  const ratio = median(ratios);
  return {
    beside: `beside Playwright with one empty test (${shown(median(empty))})`,
    value: `${shown(median(own))}, ${ratio.toFixed(2)} ×`,
    ratio,
  };
}

async function gateOnSandbox(folder: string): Promise<Figure> {
  const { beside, value, ratio } = await besidePlaywright(folder);
  const limit = { measured: ratio, most: 1.15, unit: '×' };
  return limited(`the gate on the sandbox, ${beside}`, value, limit);
}

/** The provider runs in the process of the bench, so the gate starts no sandbox. */
async function gateOverHttps(folder: string): Promise<Figure> {
  await using provider = await providerOver('https', folder);
  const { beside, value } = await besidePlaywright(folder, {
    ...settingsFor(provider),
    PUBLIC_API_CLOCK_URL: provider.clockUrl.href,
  });
  return compared(`the gate on a provider over https, ${beside}`, value);
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
  afar: (folder) => fromAfar(folder, { what: 'the gate', args: [gate], most: 20 }),
  'probe-afar': (folder) =>
    fromAfar(folder, { what: 'npm run probe', args: argumentsOf('probe'), most: 10 }),
  mutants: allMutants,
};
