import { fileURLToPath } from 'node:url';
import { endpointName } from '../../contract/http/request.ts';
import { sandboxEndpoints, startSandbox } from '../../sandbox/provider.ts';
import { far } from './far.ts';
import { type Figure, type Measure, median, shown, timed } from './figure.ts';
import { argumentsOf } from './watching.ts';

const gate = fileURLToPath(new URL('../../gate/main.js', import.meta.url));
const mutants = fileURLToPath(new URL('../../gate/mutants.ts', import.meta.url));

/** The gate, and Playwright with one empty test, alternating, so that both run under the same load. */
async function gateBesidePlaywright(folder: string): Promise<Figure> {
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
    bound: '1.15 ×',
    kept: ratio <= 1.15,
  };
}

/** A command against a provider that is 50 milliseconds away. */
async function fromAfar(
  folder: string,
  { what, args, most }: { what: string; args: readonly string[]; most: number },
): Promise<Figure> {
  const sandbox = await startSandbox();
  const distant = await far(Number(sandbox.baseUrl.port), 50);
  try {
    const { apiKey, secretKey } = sandbox.state.account;
    const seconds = await timed(args, folder, {
      PUBLIC_API_BASE_URL: `http://127.0.0.1:${distant.port}`,
      PUBLIC_API_KEY: apiKey,
      PUBLIC_API_SECRET_KEY: secretKey,
      PUBLIC_API_ENDPOINTS: sandboxEndpoints.map(endpointName).join(', '),
      PUBLIC_API_CLOCK_URL: `http://127.0.0.1:${distant.port}${sandbox.clockUrl.pathname}`,
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
export const ofTheGate: readonly Measure[] = [
  gateBesidePlaywright,
  (folder) => fromAfar(folder, { what: 'the gate', args: [gate], most: 20 }),
  (folder) => fromAfar(folder, { what: 'npm run probe', args: argumentsOf('probe'), most: 10 }),
  allMutants,
];
