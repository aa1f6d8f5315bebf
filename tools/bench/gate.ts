import { fileURLToPath } from 'node:url';
import { startSandbox } from '../../sandbox/provider.ts';
import { far } from './far.ts';
import { type Figure, median, shown, timed } from './figure.ts';
import type { Measures } from './selection.ts';
import { argumentsOf, providerOver, settingsFor } from './watching.ts';

const gate = fileURLToPath(new URL('../../gate/main.js', import.meta.url));
const mutants = fileURLToPath(new URL('../../gate/mutants.ts', import.meta.url));

/** The gate, and Playwright with one empty test, alternating, so that both run under the same load. */
async function besidePlaywright(folder: string, env: NodeJS.ProcessEnv = {}) {
  const cli = fileURLToPath(import.meta.resolve('@playwright/test/cli'));
  const [own, empty, ratios]: [number[], number[], number[]] = [[], [], []];
  for (let turn = 0; turn < 6; turn++) {
    const [one, other] = [
      await timed([gate], folder, env),
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
    beside: `beside Playwright with one empty test (${shown(median(empty))})`,
    value: `${shown(median(own))}, ${ratio.toFixed(2)} ×`,
    ratio,
  };
}

async function gateOnSandbox(folder: string): Promise<Figure> {
  const { beside, value, ratio } = await besidePlaywright(folder);
  const what = `the gate on the sandbox, ${beside}`;
  return { what, value, bound: '1.15 ×', kept: ratio <= 1.15 };
}

/** The provider runs in the process of the bench, so the gate starts no sandbox. */
async function gateOverHttps(folder: string): Promise<Figure> {
  const provider = await providerOver('https', folder);
  try {
    const clock = { PUBLIC_API_CLOCK_URL: provider.clockUrl.href };
    const { beside, value } = await besidePlaywright(folder, {
      ...settingsFor(provider),
      ...clock,
    });
    return { what: `the gate on a provider over https, ${beside}`, value, kept: true };
  } finally {
    await provider.close();
  }
}

/** A command against a provider that is 50 milliseconds away. */
async function fromAfar(
  folder: string,
  { what, args, most }: { what: string; args: readonly string[]; most: number },
): Promise<Figure> {
  const sandbox = await startSandbox();
  const distant = await far(Number(sandbox.baseUrl.port), 50);
  try {
    const baseUrl = new URL(`http://127.0.0.1:${distant.port}`);
    const seconds = await timed(args, folder, {
      ...settingsFor({ baseUrl, state: sandbox.state }),
      PUBLIC_API_CLOCK_URL: new URL(sandbox.clockUrl.pathname, baseUrl).href,
    });
    return {
      what: `${what} against a provider that is 50 ms away`,
      value: shown(seconds),
      bound: `${most} s`,
      kept: seconds <= most,
    };
  } finally {
    distant.close();
    await sandbox.close();
  }
}

async function allMutants(folder: string): Promise<Figure> {
  const seconds = await timed([mutants], folder);
  return {
    what: 'all mutants and variants',
    value: shown(seconds),
    bound: '60 s',
    kept: seconds <= 60,
  };
}

/** What the gate costs. */
export const ofTheGate: Measures = {
  sandbox: gateOnSandbox,
  https: gateOverHttps,
  afar: (folder) => fromAfar(folder, { what: 'the gate', args: [gate], most: 20 }),
  'probe-afar': (folder) =>
    fromAfar(folder, { what: 'npm run probe', args: argumentsOf('probe'), most: 10 }),
  mutants: allMutants,
};
