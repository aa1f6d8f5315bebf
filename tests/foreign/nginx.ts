import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect } from '@playwright/test';
import type { Authority } from '../client/certificates.ts';
import { freePort } from '../free-port.ts';
import { programPath } from '../programs.ts';

/** The server in front of a provider. */
export interface Front extends AsyncDisposable {
  readonly origin: URL;
}

/**
 * Starts nginx in the usual configuration: it terminates TLS, and forwards each request over a new connection.
 * @param provider its address, over HTTP
 */
export async function startNginx(provider: URL, { good }: Authority): Promise<Front> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'nginx-'));
  const at = (name: string): string => path.join(folder, name);
  const port = await freePort();
  writeFileSync(at('crt'), good.cert);
  writeFileSync(at('key'), good.key);
  const scratch = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${at(name)};`,
  );
  writeFileSync(
    at('conf'),
    `daemon off; pid ${at('pid')}; error_log ${at('error.log')}; events {}
http {
  access_log off; ${scratch.join(' ')}
  server {
    listen 127.0.0.1:${port} ssl; ssl_certificate ${at('crt')}; ssl_certificate_key ${at('key')};
    location / { proxy_pass ${provider.origin}; }
  }
}
`,
  );
  const child = spawn(programPath('nginx'), ['-c', at('conf'), '-e', at('error.log')], {
    stdio: 'ignore',
  });
  const origin = new URL(`https://127.0.0.1:${port}`);
  const listens = () =>
    fetch(`http://${origin.host}`).then(
      () => true,
      () => false,
    );
  await expect.poll(listens, { timeout: 20_000 }).toBe(true);
  return {
    origin,
    async [Symbol.asyncDispose]() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true });
    },
  };
}
