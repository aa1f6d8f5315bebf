import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import type net from 'node:net';
import { test } from '@playwright/test';
import { account } from '../monitor/provider.ts';
import { alertmanagerToken, webhookKey } from './receivers.ts';

/** A request that was posted. */
interface Posted {
  readonly path: string;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** A real server that receives messages. */
export interface WebhookServer extends AsyncDisposable {
  readonly address: URL;
  readonly posted: readonly Posted[];
  /** The status of its answers. */
  status: number;
  /** Answers wait for this. */
  held: Promise<unknown>;
}

export async function startWebhook(): Promise<WebhookServer> {
  const posted: Posted[] = [];
  const server = http.createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString();
    posted.push({ path: request.url ?? '', headers: request.headers, body });
    await made.held;
    response.writeHead(made.status).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as net.AddressInfo;
  const made: WebhookServer = {
    address: new URL(`http://127.0.0.1:${port}/planted-path`),
    posted,
    status: 200,
    held: Promise.resolve(),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
  return made;
}

/** Writes a targets file. @returns the settings of a monitor that reads it */
export function settings(origin: URL, webhook: URL, alertmanager = '') {
  const file = test.info().outputPath('targets.yaml');
  const credentials = '{ apiKeyEnv: KEY, secretKeyEnv: SECRET }';
  writeFileSync(
    file,
    `defaults: { period: 5s, endpoints: [GET /public-api/v1/widgets], canaries: off }
targets: [{ name: api, url: "${origin.href}", credentials: ${credentials} }]
notify:
  webhooks: [{ url: "${webhook.href}", secretEnv: HOOK }]
  resolveAfter: 2s
  page: https://monitor.test
${alertmanager}`,
  );
  return {
    MONITOR_CONFIG: file,
    MONITOR_STATE: test.info().outputPath('monitor.sqlite'),
    KEY: account.apiKey,
    SECRET: account.secretKey,
    HOOK: webhookKey,
    TOKEN: alertmanagerToken,
  };
}

/** Each received message, once: repeated ids are ignored. */
export const seen = ({ posted }: WebhookServer): string[] => {
  const byId = new Map(posted.map(({ body }) => [JSON.parse(body).id, JSON.parse(body)]));
  return [...byId.values()].map(({ status, labels: { clause } }) => `${status} ${clause}`);
};
