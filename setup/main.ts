/** `npm run setup`: installs the real programs that the tests use, and says where each of them is. */
import { spawnSync } from 'node:child_process';
import { styleText } from 'node:util';
import { installation, installer } from './packages.ts';
import { find, type Program, programs } from './programs.ts';

const help = `npm run setup

Installs the programs that the tests use and npm cannot bring along: Debian's packages, by apt-get, as root or with
sudo. Elsewhere it says what to install. What is there already is left alone.

${programs.map(({ name, why }) => `  ${name.padEnd(12)} ${why}`).join('\n')}

Exits 0 when all are there, 1 when one is missing.
`;

/** @returns the exit code */
function main(args: readonly string[]): number {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return 0;
  }
  if (args[0] !== undefined) {
    process.stderr.write(`npm run setup takes no ${JSON.stringify(args[0])}: see --help\n`);
    return 1;
  }
  const missing = programs.filter((program) => !told(program));
  if (missing.length === 0) return 0;
  const how = installer();
  if (!how.can) {
    process.stderr.write(`\nNothing was installed: ${how.why}.\n`);
    return lacking(missing);
  }
  const [command, ...first] = how.command;
  const script = installation(missing.flatMap(({ packages }) => packages));
  const { status } = spawnSync(command, [...first, '-c', script], { stdio: 'inherit' });
  if (status !== 0) process.stderr.write('\napt-get failed, as it says above.\n');
  const still = missing.filter((program) => !told(program));
  return still.length === 0 ? 0 : lacking(still);
}

/** One line about a program. @returns whether it is there */
function told(program: Program): boolean {
  const at = find(program);
  const mark =
    at === undefined
      ? coloured('yellow', `missing: ${program.packages.join(' ')}`)
      : coloured('green', at);
  process.stdout.write(`${program.name.padEnd(12)} ${mark}\n`);
  return at !== undefined;
}

/** What somebody has to install by hand. */
function lacking(missing: readonly Program[]): number {
  process.stderr.write('Please install:\n');
  for (const { name, why, packages } of missing)
    process.stderr.write(`  ${name.padEnd(12)} (Debian: ${packages.join(' ')}) ${why}\n`);
  process.stderr.write(`Missing: ${missing.map(({ name }) => name).join(', ')}.\n`);
  return 1;
}

/** Colour is for terminals only; styleText looks at the stream, and at NO_COLOR. */
function coloured(colour: 'green' | 'yellow', text: string): string {
  return styleText(colour, text, { stream: process.stdout });
}

process.exitCode = main(process.argv.slice(2));
