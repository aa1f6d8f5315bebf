import { expect, type Locator } from '@playwright/test';
import type { HeldTarget } from '../../monitor/fleet/fleet-status.ts';
import { page } from '../../monitor/web/page.ts';
import { objections } from '../monitor/browser.ts';
import { test } from '../monitor/page-server.ts';
import { needs } from '../programs.ts';
import { fleet, withoutDatabase } from './page-states.ts';

test('the headline counts the targets of all members', async () => {
  const html = String(await page(fleet));
  expect(html).toContain('<title>1 of 53 broken</title>');
  expect(html).toContain('<span>1 of 53 broken</span></h1>');
  // This monitor's own targets hold.
  expect(html).toContain('href="/icon.svg?broken"');
});

test('a monitor without the database shows why it watches nothing', async () => {
  const html = String(await page(withoutDatabase));
  expect(html).toContain('This monitor reports that the database cannot be used: ECONNREFUSED.');
});

test('the targets of a fleet without its database count as unverified, and not as in the first round', async () => {
  const lost = [{ name: 'one' }, { name: 'two' }];
  const status = { ...withoutDatabase.fleet, members: [], targets: lost };
  const html = String(await page({ ...withoutDatabase, fleet: status }));
  expect(html).toContain('<span>2 of 2 unverified</span></h1>');
});

test('a target of another monitor in maintenance is no problem', async () => {
  const far = { name: 'far', authority: 'monitor-2:9797', state: 'broken' as const };
  const until = new Date(fleet.now.getTime() + 60_000);
  const among = (targets: readonly HeldTarget[]): Promise<string> =>
    Promise.resolve(page({ ...fleet, fleet: { members: [], targets } })).then(String);
  expect(await among([far])).toContain('1 target of other monitors with a problem');
  expect(await among([{ ...far, maintenance: { until } }])).not.toContain('with a problem');
});

/** The left and right edge of the text of a cell. */
const widthOf = async (cell: Locator | undefined) =>
  (await cell?.evaluate((element) => {
    const range = element.ownerDocument.createRange();
    range.selectNodeContents(element);
    const { left, right } = range.getBoundingClientRect();
    return { from: left, to: right };
  })) ?? { from: 0, to: 0 };

test.describe('in a browser', () => {
  needs('chromium');
  // axe is a script, which the page's own Content-Security-Policy would block.
  test.use({ bypassCSP: true });

  test('members, their targets and what each did last are in one section without a barrier', async ({
    page: opened,
    server,
  }) => {
    server.show(fleet);
    await opened.goto(server.address);
    const section = opened.getByRole('region', { name: 'Fleet' });
    await expect(section.getByRole('row')).toContainText([
      'Monitor',
      /monitor-1:9797 this one\s*50 targets\s*3 s ago: a token opens the endpoint/,
      /monitor-2:9797\s*2 targets\s*2 s ago: a token opens the endpoint far-2, not passed/,
      /monitor-10:9797\s*0 targets\s*none/,
    ]);
    await expect(section).toContainText('1 target without a monitor: free<b>');
    const problems = section.getByRole('list', {
      name: '1 target of other monitors with a problem',
    });
    await expect(problems.getByRole('listitem')).toContainText(['far-2 The contract is broken']);
    await expect(problems.getByRole('link', { name: 'far-2' })).toBeVisible();
    await section.getByText('2 targets of monitor-2:9797').click();
    await expect(section.getByRole('link', { name: 'far-1' })).toHaveAttribute(
      'href',
      'http://monitor-2:9797/targets/far-1',
    );
    await opened.setViewportSize({ width: 360, height: 800 });
    const [watches, lastRun] = await section.getByRole('cell').all();
    const left = await widthOf(watches);
    const right = await widthOf(lastRun);
    expect(left.to).toBeLessThanOrEqual(right.from);
    for (const state of [fleet, withoutDatabase]) {
      server.show(state);
      await opened.goto(server.address);
      expect(await objections(opened)).toEqual([]);
    }
  });
});
