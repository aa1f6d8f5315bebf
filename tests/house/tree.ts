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
 * A house rule. It returns one sentence for each mistake, with what to do about it. A rule gets the files that it
 * checks, so that tests can pass files that break it.
 */
export type Rule = (files: readonly SourceFile[]) => string[];

const root = fileURLToPath(new URL('../..', import.meta.url));

/** All files that git tracks or would track: without ignored files and deleted files. */
export const paths: readonly string[] = [
  ...new Set(
    execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
      cwd: root,
      encoding: 'utf8',
    }).split('\0'),
  ),
].filter((name) => lstatSync(path.join(root, name), { throwIfNoEntry: false })?.isFile() === true);

/** The text files among them. Files with NUL bytes, such as pictures, are excluded. */
export const tree: readonly SourceFile[] = paths
  .map((name) => ({ path: name, text: readFileSync(path.join(root, name), 'utf8') }))
  .filter(({ text }) => !text.includes('\0'));

/** The program texts among files. */
export const programs = (files: readonly SourceFile[]): readonly SourceFile[] =>
  files.filter(({ path: name }) => name.endsWith('.ts'));

/** The items that a list contains more than once. */
export const twice = (list: readonly string[]): string[] => [
  ...new Set(list.filter((one, index) => list.indexOf(one) < index)),
];
