import { mkdirSync, readFileSync } from 'node:fs';
import { fromRoot, type Ran, startNode } from '../process.ts';
import { expect, test } from '../test.ts';

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(fromRoot('package.json'), 'utf8'),
);
/** The npm scripts that run a program of this project for a user, with Node's arguments. */
const commands = Object.entries(scripts).flatMap(([name, line]): [string, string[]][] => {
  const [program, ...args] = line.split(' ');
  return program === 'node' && name !== 'prepack' ? [[name, args]] : [];
});

function startCommand(words: readonly string[], flag: string): Promise<Ran> {
  const folder = test.info().outputPath('folder');
  mkdirSync(folder, { recursive: true });
  const args = words.map((word) => (/\.(ts|js)$/.test(word) ? fromRoot(word) : word));
  return startNode(folder, [...args, flag], { PUBLIC_API_BASE_URL: 'nonsense' }).ended;
}

test('most scripts start programs of this project', () => {
  expect(commands.length).toBeGreaterThan(12);
});

for (const [name, args] of commands)
  test(`npm run ${name} -- --help prints its usage, and needs no settings`, async () => {
    const { exit, stdout, stderr } = await startCommand(args, '--help');
    expect(stdout).toMatch(new RegExp(`\\bnpm (run )?${name}\\b`));
    expect(stdout).not.toContain('failed\n');
    expect(stderr).toBe('');
    expect(exit).toBe(0);
  });

/** The commands of the product. */
const products = commands.filter(([, args]) => !/^(tests|tools)\//.test(args.at(-1) ?? ''));

for (const [name, args] of products)
  test(`npm run ${name} -- --nonsense is refused in a line that names --help`, async () => {
    const { exit, stdout, stderr } = await startCommand(args, '--nonsense');
    expect(stderr).toMatch(/^[^\n]*--help[^\n]*\n$/);
    expect(stdout).toBe('');
    expect(exit).toBe(2);
  });
