import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { programPath } from '../programs.ts';

/** A real Pushgateway on a free port, which stores nothing on disk. */
export interface Pushgateway extends AsyncDisposable {
  readonly url: URL;
  /** The text that Prometheus would scrape. */
  metrics(): Promise<string>;
}

export async function startPushgateway(): Promise<Pushgateway> {
  const child = spawn(programPath('pushgateway'), ['--web.listen-address=127.0.0.1:0'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'close');
  const url = await new Promise<URL>((resolve, reject) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const [, at] = /msg="Listening on" address=(\S+)/.exec(log) ?? [];
      if (at !== undefined) resolve(new URL(`http://${at}`));
    });
    child.on('error', reject);
    child.on('close', () => reject(new Error(`the Pushgateway ended: ${log}`)));
  });
  return {
    url,
    metrics: async () => (await fetch(new URL('/metrics', url))).text(),
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
