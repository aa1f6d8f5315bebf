import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import { type Broker, startBroker } from '../../pacts/broker/start.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const example = path.join(project, 'pacts/sandbox/widget-report-public-api.json');

/** The matrix of a real broker: one consumer version with a verified pact, and one with a failed pact. */
export async function matrixPicture(browser: Browser): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'matrix-'));
  try {
    await using broker = await startBroker({ folder });
    fill(broker, folder);
    const page = new URL('/matrix/provider/public-api/consumer/widget-report', broker.baseUrl);
    const tab = await browser.newPage({
      viewport: { width: 1100, height: 900 },
      deviceScaleFactor: 1.5,
      httpCredentials: broker,
    });
    await tab.goto(page.href);
    const file = fileURLToPath(new URL('matrix.png', import.meta.url));
    await tab.locator('table').screenshot({ path: file });
    await tab.close();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function fill(broker: Broker, folder: string): void {
  const demanding = path.join(folder, 'demanding.json');
  writeFileSync(
    demanding,
    readFileSync(example, 'utf8').replace('"name": "A', '"price": 5, "name": "A'),
  );
  const run = (words: string, version: string): void => {
    const [command = '', ...args] = words.split(' ');
    const { status, stderr, stdout } = spawnSync(process.execPath, [command, ...args], {
      cwd: folder,
      encoding: 'utf8',
      env: {
        PATH: process.env.PATH,
        GIT_COMMIT: version,
        GIT_BRANCH: 'main',
        PACT_BROKER_BASE_URL: broker.baseUrl.href,
        PACT_BROKER_USERNAME: broker.username,
        PACT_BROKER_PASSWORD: broker.password,
      },
    });
    if (status !== 0) throw new Error(`${words}: ${stderr}${stdout}`);
  };
  const flow = path.join(project, 'pacts/flow/main.ts');
  const verify = path.join(project, 'pacts/verify/main.ts');
  run(`${flow} setup --environments production --pacticipants widget-report`, '');
  run(`${flow} publish ${example}`, 'w1.4.0');
  run(`${verify} --sandbox`, 'p2.0.0');
  for (const [who, version] of [
    ['public-api', 'p2.0.0'],
    ['widget-report', 'w1.4.0'],
  ] as const)
    run(`${flow} record-deployment --pacticipant ${who} --environment production`, version);
  run(`${flow} publish ${demanding}`, 'w1.5.0');
  run(`${verify} --sandbox`, 'p2.1.0');
}
