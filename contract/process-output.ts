import type { ChildProcess } from 'node:child_process';

/**
 * Collects what a process prints.
 * @param most characters: only the last ones are kept
 * @returns a function that returns the text so far
 */
export function outputOf({ stdout, stderr }: ChildProcess, most = Infinity): () => string {
  let output = '';
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-most);
    });
  return () => output.trim();
}
