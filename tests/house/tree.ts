import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** A text file of this project, by its path from the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/**
 * A rule of the house: what it finds wrong, one sentence each, with the remedy in it. A rule takes the files it judges,
 * so that each can be shown a tree that breaks it.
 */
export type Rule = (files: readonly SourceFile[]) => string[];

const root = fileURLToPath(new URL('../..', import.meta.url));

/** All files that git tracks or would: ignored files do not matter, and deleted files are gone. */
export const paths: readonly string[] = [
  ...new Set(
    execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    }).split('\0'),
  ),
].filter((name) => lstatSync(path.join(root, name), { throwIfNoEntry: false })?.isFile() === true);

/** The text files among them; pictures have NUL bytes and no text. */
export const tree: readonly SourceFile[] = paths
  .map((name) => ({ path: name, text: readFileSync(path.join(root, name), 'utf8') }))
  .filter(({ text }) => !text.includes('\0'));

/** The program texts among files. */
export const programs = (files: readonly SourceFile[]): readonly SourceFile[] =>
  files.filter(({ path: name }) => name.endsWith('.ts'));

/** What is in a list more than once. */
export const twice = (list: readonly string[]): string[] => [
  ...new Set(list.filter((one, index) => list.indexOf(one) < index)),
];
