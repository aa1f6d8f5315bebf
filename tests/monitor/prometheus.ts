import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { programPath } from '../programs.ts';

/** A sample as Prometheus has stored it. */
interface Stored {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [at: number, value: string];
}

/** A real Prometheus on a free port, with a storage that ends with it. */
export interface Prometheus extends AsyncDisposable {
  /** What an expression comes to now. */
  query(expression: string): Promise<readonly Stored[]>;
}

/** @param config its YAML file */
export async function startPrometheus(config: string): Promise<Prometheus> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'prometheus-'));
  const file = path.join(folder, 'prometheus.yml');
  writeFileSync(file, config);
  const at = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    programPath('prometheus'),
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${path.join(folder, 'data')}`,
      `--web.listen-address=${at}`,
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const ended = once(child, 'close');
  let log = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('Server is ready')) resolve();
    });
    child.on('error', reject);
    child.on('close', () => reject(new Error(`prometheus ended: ${log}`)));
  });
  return {
    async query(expression) {
      const response = await fetch(`http://${at}/api/v1/query`, {
        method: 'POST',
        body: new URLSearchParams({ query: expression }),
      });
      const answer: { data?: { result: Stored[] }; error?: string } = JSON.parse(
        await response.text(),
      );
      if (answer.data === undefined) throw new Error(answer.error);
      return answer.data.result;
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = net.createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
