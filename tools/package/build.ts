/**
 * Builds what `npm pack` packs, in dist/: the commands as JavaScript, their types, and the files that they read. npm
 * runs it before it packs.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '-p', import.meta.dirname], { stdio: 'inherit' });
const read = '{{contract,monitor}/**/*.{css,svg},schemas/*.{js,json,d.ts},package.json}';
for (const file of globSync(read, { cwd: root }))
  cpSync(path.join(root, file), path.join(dist, file));
for (const name of globSync('**/*.js', { cwd: dist })) {
  const file = path.join(dist, name);
  writeFileSync(file, withCommands(withFileNames(readFileSync(file, 'utf8'))));
}

/** The compiler renames the files in imports only. */
function withFileNames(text: string): string {
  return text.replaceAll(/(?<='[\w./-]+)\.ts(?=')/g, '.js');
}

/**
 * The installed package has no npm scripts, so its messages must name its command instead. A ` --` or three blanks
 * after a script's name are removed too, so that columns stay aligned. A line that continues such a column, and so
 * begins with many blanks, moves as far as the command is longer.
 */
function withCommands(text: string): string {
  return text
    .replaceAll(
      /\bnpm (?:run )?(start|gate|endpoints|probe|pact:verify|pact:states)\b(?![:-])(?: --(?![\w-])| {3}(?= ))?/g,
      (_, script) => `public-api-contract ${script.replace(':', '-')}`,
    )
    .replaceAll(/^ {40,}(?=\S)/gm, (blanks) => `${blanks}${' '.repeat(9)}`);
}
