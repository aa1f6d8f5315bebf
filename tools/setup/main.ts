/** `npm run setup`: installs the real programs that the tests use, and prints where each of them is. */
import { spawnSync } from 'node:child_process';
import { styleText } from 'node:util';
import { canInstallGems, installGems } from './gems.ts';
import { type Installer, installation, installer } from './packages.ts';
import { find, type Program, programs } from './programs.ts';

const width = Math.max(...programs.map(({ name }) => name.length));

const help = `npm run setup

Installs the programs that the tests use and npm cannot install: Debian's packages, by apt-get, as root or with
sudo, and Ruby's gems into this project. On other systems it lists what to install. Installed programs stay unchanged.

${programs.map(({ name, why }) => `  ${name.padEnd(width)} ${why}`).join('\n')}

Exit codes: 0 all programs are installed · 1 a program is missing · 2 wrong arguments
`;

/** @returns the exit code */
async function main(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(help);
    return 0;
  }
  if (args[0] !== undefined) {
    process.stderr.write(
      `npm run setup does not know ${JSON.stringify(args[0])}: npm run setup -- --help explains it\n`,
    );
    return 2;
  }
  const missing: readonly Program[] = programs.filter((program) => !printPlace(program));
  if (missing.length === 0) return 0;
  const how = installer();
  // A program that lacks only its gems needs no packages.
  const packages = missing.filter(({ gems }) => gems === undefined || !canInstallGems());
  if (!how.can && packages.length > 0)
    process.stderr.write(`\nNo package was installed: ${how.why}.\n`);
  const tried = [installPackages(packages, how), await installGemsOf(missing)].includes(true);
  const still = tried ? missing.filter((program) => !printPlace(program)) : missing;
  return still.length === 0 ? 0 : lacking(still);
}

/** Installs the packages of these programs at once. @returns whether an installation was attempted */
function installPackages(of: readonly Program[], how: Installer): boolean {
  if (of.length === 0 || !how.can) return false;
  const [command, ...first] = how.command;
  const script = installation(of.flatMap(({ packages }) => packages));
  const { status } = spawnSync(command, [...first, '-c', script], { stdio: 'inherit' });
  if (status !== 0) process.stderr.write('\napt-get failed, as it says above.\n');
  return true;
}

/** Installs the gems of these programs. @returns whether an installation was attempted */
async function installGemsOf(missing: readonly Program[]): Promise<boolean> {
  const needed = missing.flatMap(({ name, gems }) => (gems === undefined ? [] : [{ name, gems }]));
  if (needed.length === 0 || !canInstallGems()) return false;
  for (const { name, gems } of needed) {
    process.stdout.write(
      `${name.padEnd(width)} installing its gems, which takes about a minute …\n`,
    );
    await installGems(gems).catch((error: Error) => process.stderr.write(`${error.message}\n`));
  }
  return true;
}

/** Prints one line about a program. @returns whether it is installed */
function printPlace(program: Program): boolean {
  const at = find(program);
  const mark =
    at === undefined
      ? coloured('yellow', `missing: ${program.packages.join(' ')}${program.gems ? ', gems' : ''}`)
      : coloured('green', at);
  process.stdout.write(`${program.name.padEnd(width)} ${mark}\n`);
  return at !== undefined;
}

/** Prints what the user must install. @returns the exit code */
function lacking(missing: readonly Program[]): number {
  process.stderr.write('Please install:\n');
  for (const { name, why, packages } of missing)
    process.stderr.write(`  ${name.padEnd(width)} (Debian: ${packages.join(' ')}) ${why}\n`);
  process.stderr.write(`Missing: ${missing.map(({ name }) => name).join(', ')}.\n`);
  return 1;
}

/** Colours a text, but only on a terminal: styleText checks the stream and NO_COLOR. */
function coloured(colour: 'green' | 'yellow', text: string): string {
  return styleText(colour, text, { stream: process.stdout });
}

process.exitCode = await main(process.argv.slice(2));
