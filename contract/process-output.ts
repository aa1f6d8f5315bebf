import type { ChildProcess } from 'node:child_process';

/** Returns a function that returns what a process has printed so far. @param most characters: the last ones are kept */
export function outputOf({ stdout, stderr }: ChildProcess, most = Infinity): () => string {
  let output = '';
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-most);
    });
  return () => output.trim();
}
