import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser } from '@playwright/test';
import { type LocalBroker, startBroker } from '../broker/start.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const example = path.join(project, 'pacts/sandbox/widget-report-public-api.json');

/** The matrix of a real broker: one consumer version with a verified pact, and one with a failed pact. */
export async function matrixPicture(browser: Browser): Promise<void> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'matrix-'));
  try {
    await using broker = await startBroker(folder);
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

function fill(broker: LocalBroker, folder: string): void {
  const demanding = path.join(folder, 'demanding.json');
  writeFileSync(
    demanding,
    readFileSync(example, 'utf8').replace('"name": "A', '"price": 5, "name": "A'),
  );
  const run = (program: string, words: string, version = ''): void => {
    const { status, stderr, stdout } = spawnSync(process.execPath, [program, ...words.split(' ')], {
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
  const pactBroker = path.join(project, 'node_modules/.bin/pact-broker');
  const verify = path.join(project, 'pacts/verify/main.ts');
  run(pactBroker, 'create-environment --name production --production');
  run(pactBroker, `publish ${example} --consumer-app-version w1.4.0 --branch main`);
  run(verify, '--sandbox', 'p2.0.0');
  for (const [who, version] of [
    ['public-api', 'p2.0.0'],
    ['widget-report', 'w1.4.0'],
  ] as const)
    run(
      pactBroker,
      `record-deployment --pacticipant ${who} --version ${version} --environment production`,
    );
  run(pactBroker, `publish ${demanding} --consumer-app-version w1.5.0 --branch main`);
  run(verify, '--sandbox', 'p2.1.0');
}
