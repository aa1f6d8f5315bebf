import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Behaviour } from '../../sandbox/behaviour.ts';
import { costOf, inTurns, nodeArguments, type Program, run } from './processes.ts';
import { type Provider, startProvider } from './provider.ts';
import { beside, type Measured, type Rows } from './table.ts';

/** The gate, and Playwright with one empty test. */
async function besidePlaywright(folder: string, ...args: readonly string[]): Promise<Measured> {
  const own = { command: 'npm', args: ['run', 'gate', '--', ...args] };
  const empty = { command: 'npx', args: ['playwright', 'test', '--reporter=html'] };
  const env = { PLAYWRIGHT_HTML_OPEN: 'never' };
  return beside(await inTurns(folder, 5, own, { ...empty, env }), 's');
}

const paths = Array.from({ length: 30 }, (_, index) => `/public-api/v1/things/${index}`);

const thirtyEndpoints: Partial<Behaviour> = {
  route: ({ method, path: requested }) =>
    method === 'GET' && paths.includes(requested)
      ? { method, path: requested, reply: { status: 200, json: { things: [] } } }
      : undefined,
};

/** A provider with one wrong word in each 401, beside the correct provider. */
async function violated(folder: string): Promise<Measured> {
  const json = { success: false, message: 'Invalid or expired token.' };
  const wrong = { ...thirtyEndpoints, unauthorised: () => ({ status: 401, json }) };
  await using red = await startProvider(path.join(folder, 'tests'), wrong);
  await using green = await startProvider(folder, thirtyEndpoints);
  const gate = ({ env }: Provider, code: number): Program => ({
    args: nodeArguments('gate'),
    env: { ...env, PUBLIC_API_ENDPOINTS: paths.map((one) => `GET ${one}`).join(', ') },
    code,
  });
  return beside(await inTurns(folder, 3, gate(red, 1), gate(green, 0)), 's');
}

/** A request of the gate without a test clock, beside newman, which sends 1,000 requests and checks each status. */
async function besideNewman(folder: string): Promise<Measured | undefined> {
  const install = ['install', '--no-save', '--prefix', 'peer', 'newman@6.2.2'];
  if (spawnSync('npm', install, { cwd: folder }).status !== 0) return undefined;
  await using provider = await startProvider(folder);
  const exec = ["pm.test('', () => pm.response.to.have.status(401))"];
  const request = { method: 'GET', url: provider.widgets };
  const item = { name: '', request, event: [{ listen: 'test', script: { exec } }] };
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const collection = { info: { name: 'peer', schema }, item: Array(1000).fill(item) };
  await writeFile(path.join(folder, 'collection.json'), JSON.stringify(collection));
  const program = path.join(folder, 'peer/node_modules/newman/bin/newman.js');
  const options = ['run', 'collection.json', '--ssl-extra-ca-certs', provider.ca];
  const { PUBLIC_API_CLOCK_URL: _, ...env } = provider.env;
  const gate = { args: nodeArguments('gate'), env };
  const own = await costOf(provider, () => run(folder, gate));
  const other = await costOf(provider, () => run(folder, { args: [program, ...options] }));
  return beside([own.perRequestUs, other.perRequestUs], 'µs');
}

export const ofTheGate: Rows = {
  'gate/sandbox': {
    what: 'the gate on the sandbox, beside Playwright with one empty test, both through npm',
    unit: '×',
    most: 2,
    measure: (folder) => besidePlaywright(folder),
  },
  'gate/quick': {
    what: 'the gate with --quick, beside Playwright with one empty test, both through npm',
    unit: '×',
    most: 1.6,
    measure: (folder) => besidePlaywright(folder, '--quick'),
  },
  'gate/violated': {
    what: 'thirty endpoints with one wrong word in each refusal, beside the correct provider',
    unit: '×',
    most: 1.5,
    measure: violated,
  },
  'gate/request': {
    what: "processor time of a request over https, start of the program included, beside newman's",
    unit: '×',
    measure: besideNewman,
  },
};
