import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from '@playwright/test';
import { freePort } from '../free-port.ts';
import { programPath } from '../programs.ts';

/** A real HTTP proxy. */
export interface Tinyproxy extends AsyncDisposable {
  /** Includes the credentials that it requires. */
  readonly address: string;
  readonly host: string;
  /** The first lines of the requests that it received: `CONNECT 127.0.0.1:8443 HTTP/1.1`. */
  requests(): string[];
}

/** @param credentials `user:password`, as written in an address; if empty, it requires none */
export async function startTinyproxy(credentials = ''): Promise<Tinyproxy> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'tinyproxy-'));
  const port = await freePort();
  const log = path.join(folder, 'log');
  const configuration = path.join(folder, 'tinyproxy.conf');
  const [user = '', password = ''] = credentials.split(':').map(decodeURIComponent);
  const basic = credentials === '' ? '' : `BasicAuth ${user} ${password}\n`;
  writeFileSync(
    configuration,
    `Port ${port}\nListen 127.0.0.1\nMaxClients 100\nTimeout 60\nLogFile "${log}"\nLogLevel Info\n${basic}`,
  );
  const child = spawn(programPath('tinyproxy'), ['-d', '-c', configuration], { stdio: 'ignore' });
  const text = (): string => {
    try {
      return readFileSync(log, 'utf8');
    } catch {
      return '';
    }
  };
  await test.expect.poll(text, { timeout: 240_000 }).toContain('Accepting connections');
  const host = `127.0.0.1:${port}`;
  return {
    host,
    address: `http://${credentials === '' ? '' : `${credentials}@`}${host}`,
    requests: () =>
      [...text().matchAll(/Request \(file descriptor \d+\): (.*)/g)].map(([, line = '']) => line),
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
