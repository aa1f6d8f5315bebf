import { expect, test } from '@playwright/test';
import { needs } from '../programs.ts';
import { type Start, startDaemon } from './daemon.ts';
import { startInbox } from './inbox.ts';

needs('prometheus');

const config = 'scrape_configs: []';

/** A Prometheus that listens at the given address, unless its settings name another one. */
const prometheus = (elsewhere: () => string | undefined): Start => ({
  program: 'prometheus',
  files: { 'prometheus.yml': config },
  args: (at, folder) => [
    `--config.file=${folder}/prometheus.yml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=${elsewhere() ?? at}`,
  ],
  readyWith: 'Server is ready',
});

test('a port that another process takes in between is replaced by another', async () => {
  await using other = await startInbox();
  const taken = [other.address.host];
  await using daemon = await startDaemon(prometheus(() => taken.pop()));
  expect(taken).toEqual([]);
  expect((await fetch(new URL('/-/ready', daemon.address))).status).toBe(200);
});

test('a program that ends early is reported with its output', async () => {
  const start = { ...prometheus(() => undefined), files: { 'prometheus.yml': 'scrape: []' } };
  await expect(startDaemon(start)).rejects.toThrow(/^prometheus ended: .*field scrape not found/s);
});
