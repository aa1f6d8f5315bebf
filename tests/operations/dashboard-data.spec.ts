import { expect, test } from '@playwright/test';
import type { Prometheus } from '../monitor/prometheus.ts';
import { needs } from '../programs.ts';
import { asSent, nameOf, type Panel, panels, type Target, targetsToChoose } from './dashboard.ts';
import { startWatched } from './watched.ts';

needs('prometheus', 'openssl');

/** The first tokens of `sandbox` expire after ten seconds. */
const inTime = { timeout: 240_000, intervals: [500] };

const queries = panels.flatMap((panel) =>
  (panel.targets ?? []).map((target) => ({ panel, target })),
);

/** The complaints about all queries of the dashboard. */
async function message(
  say: (query: { panel: Panel; target: Target }) => Promise<string | undefined>,
): Promise<string[]> {
  const all = await Promise.all(
    queries.map(async (query) => {
      const output = await say(query);
      return output === undefined ? [] : [`${query.panel.title} ${query.target.refId}: ${output}`];
    }),
  );
  return all.flat();
}

const unnumbered = ({ value }: { readonly value: readonly [number, string] }): boolean =>
  value[1] === 'NaN';

/** The names that Grafana shows for the series of a panel, or for the columns of a table. */
async function namesIn(prometheus: Prometheus, { targets = [], transformations = [] }: Panel) {
  const series = targets.map(async ({ expr, legendFormat }) =>
    (await prometheus.query(asSent(expr, '.+'))).map(({ metric }) => nameOf(legendFormat, metric)),
  );
  const columns = transformations.flatMap(({ options }) => Object.values(options.renameByName));
  return [...(await Promise.all(series)).flat(), ...columns];
}

test('every expression of the dashboard has data of running monitors', async () => {
  await using prometheus = await startWatched();
  const { metric, label, all } = targetsToChoose();
  const lacking = () =>
    message(async ({ target: { expr } }) => {
      const found = await prometheus.query(asSent(expr, all));
      return found.every(unnumbered) ? `no data for ${expr}` : undefined;
    });
  await expect.poll(lacking, inTime).toEqual([]);

  const targets = (await prometheus.query(`group by (${label}) (${metric})`)).map(
    (one) => one.metric[label],
  );
  expect(targets.sort()).toEqual(['sandbox', 'secured']);

  await test.step('of the targets that are chosen, and of no other', async () => {
    const strangers = await message(async ({ target: { expr } }) => {
      const found = await prometheus.query(asSent(expr, 'unknown'));
      const shown = expr.includes('$target') ? found : found.filter((one) => label in one.metric);
      return shown.length > 0 ? 'shows targets that are not chosen' : undefined;
    });
    expect(strangers).toEqual([]);
  });

  await test.step('under the names that panels know them by', async () => {
    for (const panel of panels) {
      const names = await namesIn(prometheus, panel);
      expect(names.filter((name) => name.startsWith('no label'))).toEqual([]);
      const known = (panel.fieldConfig?.overrides ?? []).map(({ matcher }) => matcher.options);
      expect(names, panel.title).toEqual(expect.arrayContaining(known));
    }
  });
});
