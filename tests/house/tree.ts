import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fromRoot } from '../process.ts';

/** A text file of this project, by its path from the root. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const root = fromRoot('.');

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

/** The programs among them. */
export const programs: readonly SourceFile[] = tree.filter(({ path: name }) =>
  name.endsWith('.ts'),
);

/** The text of a file; empty if it does not exist. */
export const textOf = (file: string): string =>
  tree.find(({ path: name }) => name === file)?.text ?? '';

/** The items that a list contains more than once. */
export const twice = (list: readonly string[]): string[] => [
  ...new Set(list.filter((item, index) => list.indexOf(item) < index)),
];
