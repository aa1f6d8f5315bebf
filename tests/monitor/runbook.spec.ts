import { expect, test } from '@playwright/test';
import { alerts } from '../rules/rules.ts';
import { serving } from './serving.ts';

test('/runbook has a section for the link of every alert', async () => {
  const text = await (await serving().get('/runbook')).text();
  const ids = [...text.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id);
  const links = alerts.map(({ annotations }) => annotations?.runbook_url?.split('#')[1]);
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !ids.includes(link))).toEqual([]);
});

test('/runbook links to its own sections only, and runs nothing', async () => {
  const text = await (await serving().get('/runbook')).text();
  const hrefs = [...text.matchAll(/<a href="([^"]+)"/g)].map(([, href = '']) => href);
  expect(hrefs.filter((href) => !/^(#|\/$)/.test(href))).toEqual([]);
  expect(hrefs.length).toBeGreaterThan(3);
  expect(text).not.toMatch(/<script| style=/);
});
