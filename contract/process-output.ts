import type { ChildProcess } from 'node:child_process';

/** Collects what a process prints. @param most characters: the last ones are kept @returns a function to get them */
export function outputOf({ stdout, stderr }: ChildProcess, most = Infinity): () => string {
  let output = '';
  for (const stream of [stdout, stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-most);
    });
  return () => output.trim();
}
