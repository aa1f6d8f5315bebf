import { mkdir, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';
import { naming } from '../../tests/gate/process.ts';
import { fromRoot } from '../../tests/process.ts';
import { measureMedians, nodeArguments, type Program } from './processes.ts';
import { type Measured, type Rows, shown } from './table.ts';

/** What the gate takes, as a ratio to what another program takes. */
const compare = ([gate = NaN, other = NaN]: readonly number[]): Measured => ({
  value: gate / other,
  note: `${shown(gate, 's')} beside ${shown(other, 's')}`,
});

/** The gate, and Playwright with one empty test, in a small project. */
async function besidePlaywright(folder: string, ...args: readonly string[]): Promise<Measured> {
  await mkdir(path.join(folder, 'tests'));
  await symlink(fromRoot('node_modules'), path.join(folder, 'node_modules'));
  const scripts = { gate: `node ${nodeArguments('gate/main.ts').join(' ')}` };
  const test = `import { test } from '@playwright/test';\ntest('nothing', () => {});\n`;
  await writeFile(path.join(folder, 'package.json'), JSON.stringify({ type: 'module', scripts }));
  await writeFile(path.join(folder, 'tests/empty.spec.ts'), test);
  const gate = { command: 'npm', args: ['run', 'gate', '--', ...args] };
  const empty = { command: 'npx', args: ['playwright', 'test', '--reporter=html'] };
  const env = { PLAYWRIGHT_HTML_OPEN: 'never' };
  return compare(await measureMedians(folder, 5, gate, { ...empty, env }));
}

const paths = Array.from({ length: 30 }, (_, index) => `/public-api/v1/things/${index}`);

/** The setting that names them. */
export const thirtyEndpoints = paths.map((requested) => `GET ${requested}`).join(', ');

/** A provider that serves thirty endpoints. */
export const withThirtyEndpoints: Behaviour = {
  ...right,
  route: ({ method, path: requested }) =>
    method === 'GET' && paths.includes(requested)
      ? { method, path: requested, reply: { status: 200, json: { things: [] } } }
      : undefined,
};

/** A provider with one wrong word in each 401, beside the correct provider. */
async function measureViolated(folder: string): Promise<Measured> {
  const json = { success: false, message: 'Invalid or expired token.' };
  const wrong = { ...withThirtyEndpoints, unauthorised: () => ({ status: 401, json }) };
  await using red = await startSandbox({ behaviour: wrong });
  await using green = await startSandbox({ behaviour: withThirtyEndpoints });
  const gate = (sandbox: Sandbox, code: number): Program => ({
    args: nodeArguments('gate/main.ts'),
    env: { ...naming(sandbox), PUBLIC_API_ENDPOINTS: thirtyEndpoints },
    code,
  });
  return compare(await measureMedians(folder, 3, gate(red, 1), gate(green, 0)));
}

export const gateRows: Rows = {
  'gate/sandbox': {
    what: 'the gate on the sandbox, beside Playwright with one empty test, both through npm',
    unit: '×',
    max: 2,
    measure: (folder) => besidePlaywright(folder),
  },
  'gate/quick': {
    what: 'the gate with --quick, beside Playwright with one empty test, both through npm',
    unit: '×',
    max: 1.6,
    measure: (folder) => besidePlaywright(folder, '--quick'),
  },
  'gate/violated': {
    what: 'thirty endpoints with one wrong word in each refusal, beside the correct provider',
    unit: '×',
    max: 1.5,
    measure: measureViolated,
  },
};
