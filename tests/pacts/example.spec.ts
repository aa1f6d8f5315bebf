import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { type Checkout, checkoutOf, root } from './checkout.ts';

const example = path.join(root, 'pacts/example');
const pact = 'pacts/widget-report-public-api.json';

/** The example as a team copies it, without the pact that its test writes. */
const copied = (): Promise<Checkout> =>
  checkoutOf(
    example,
    readdirSync(example).filter((name) => !/^(pacts|node_modules)$/.test(name)),
  );

/** Runs the script `test` of its package. */
function tested({ folder }: Checkout) {
  const { test: script }: { test: string } = JSON.parse(
    readFileSync(path.join(folder, 'package.json'), 'utf8'),
  ).scripts;
  const [program = '', ...args] = script.split(' ');
  expect(program).toBe('node');
  return spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PACT_DO_NOT_TRACK: 'true' },
  });
}

test("the example's test passes unchanged, and writes the committed pact", async () => {
  await using copy = await copied();
  expect(tested(copy)).toMatchObject({ status: 0, stderr: '' });
  expect(readFileSync(path.join(copy.folder, pact), 'utf8')).toBe(
    readFileSync(path.join(example, pact), 'utf8'),
  );
});

test('interactions of another name or an earlier test are removed from every pact', async () => {
  await using copy = await copied();
  expect(tested(copy).status).toBe(0);
  const file = path.join(copy.folder, pact);
  const written = readFileSync(file, 'utf8');
  const renamed = written.replace('a request for the widgets"', 'a request that is gone"');
  expect(renamed).not.toBe(written);
  writeFileSync(file, renamed);
  writeFileSync(path.join(copy.folder, 'pacts/another-public-api.json'), written);
  expect(tested(copy).status).toBe(0);
  expect(readdirSync(path.dirname(file))).toEqual([path.basename(pact)]);
  expect(readFileSync(file, 'utf8')).toBe(written);
});

for (const [what, line, instead] of [
  ['shows no token', '    headers: { Authorization: `Bearer ${accessToken}` },\n', ''],
  ['calls another path', '/public-api/v1/widgets', '/public-api/v1/gadgets'],
  ['does not tell a 401', 'answer.status === 401', 'answer.status === 403'],
] as const)
  test(`the test fails where the program ${what}`, async () => {
    await using copy = await copied();
    const file = path.join(copy.folder, 'widgets.ts');
    const program = readFileSync(file, 'utf8');
    expect(program).toContain(line);
    writeFileSync(file, program.replace(line, instead));
    expect(tested(copy).status).toBe(1);
  });

test('the example uses the versions that this project is tested with', () => {
  const manifest = (folder: string) =>
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const { devDependencies } = manifest(root);
  for (const [name, version] of Object.entries(manifest(example).devDependencies))
    expect([name, version]).toEqual([name, devDependencies[name]]);
});
