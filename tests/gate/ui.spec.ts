import { mkdirSync } from 'node:fs';
import { expect } from '@playwright/test';
import { fromRoot, startNode } from '../process.ts';
import { needs } from '../programs.ts';
import { test } from '../report/chromium.ts';

needs('chromium');

test("Playwright's interface lists the probes, and runs one of them on the sandbox", async ({
  page,
}, testInfo) => {
  mkdirSync(testInfo.outputDir, { recursive: true });
  const args = ['--ui', '--ui-host', '127.0.0.1', '--ui-port', '0', 'BEARER-2', 'BEARER-4'];
  await using gate = startNode(testInfo.outputDir, [fromRoot('gate/main.ts'), ...args]);
  await page.goto((await gate.line(/Listening on (\S+)/)) ?? '');
  const probe = page.getByRole('treeitem', { name: /BEARER-4 another scheme is refused/ }).last();
  await expect(probe).toBeVisible();
  await page.getByRole('searchbox', { name: /^Filter \(/ }).fill('another scheme');
  await page.getByRole('button', { name: 'Run all' }).click();
  await expect(page.getByText('1/1 (100%)')).toBeVisible();
  expect(gate.output().stderr).toBe('');
  gate.child.kill('SIGINT');
  await gate.ended;
});
