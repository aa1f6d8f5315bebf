import { expect, test } from '@playwright/test';
import { ExportedFigures } from '../../monitor/fleet/exported.ts';
import { figuresOf as figuresOfRecord, recordOf } from '../../monitor/metrics/figures.ts';
import { targetText } from '../../monitor/metrics/text.ts';
import { fresh, full, opens } from '../monitor/metrics-text.ts';
import { broken, kept } from '../monitor/runs.ts';
import { MemoryDatabase, MemoryServer } from './memory-database.ts';
import { simulatedFleet } from './simulated-fleet.ts';

const figuresOf = (metrics: ReturnType<typeof full>): string => {
  const figures = metrics.figures('t');
  if (figures === undefined) throw new Error('there are no figures');
  return figures;
};

const remedy = 'read the new figure in monitor/metrics/figures.ts';

test('figures hold every series of a target', async () => {
  const metrics = full();
  metrics.canaryChecked('t', 'after', 'ok');
  metrics.processed('t', 3);
  metrics.violated('t', 'BEARER-1');
  metrics.observationChanged('t', 'OPEN-1');
  metrics.unexpectedRejection('t');
  metrics.maintained('t', true);
  const record = recordOf('t', JSON.parse(figuresOf(metrics)));
  expect(record && (await targetText([record])), remedy).toBe(await metrics.of('t'));
});

test('every figure is taken over', () => {
  const raised: unknown = JSON.parse(figuresOf(full()), (_, value: unknown) =>
    typeof value === 'number' ? value + 1 : value,
  );
  const record = recordOf('t', raised);
  expect(record && JSON.parse(JSON.stringify(figuresOfRecord(record))), remedy).toEqual(raised);
});

test('a monitor that takes figures over continues their counters', async () => {
  const before = full();
  const after = fresh();
  after.restore('t', JSON.parse(figuresOf(before)));
  expect(await after.of('t')).toBe(await before.of('t'));
  for (const metrics of [before, after]) {
    metrics.ran({ ...broken(opens, 'BEARER-1'), target: 't' }, false);
    metrics.processed('t', 0.2);
  }
  expect(await after.of('t')).toBe(await before.of('t'));
});

test('figures are given only when they have changed', () => {
  const metrics = full();
  figuresOf(metrics);
  expect(metrics.figures('t')).toBeUndefined();
  metrics.maintained('t', false);
  expect(metrics.figures('t')).toBeUndefined();
  metrics.ran({ ...kept(opens), target: 't' }, true);
  expect(metrics.figures('t')).toBeDefined();
});

for (const damaged of [
  null,
  'text',
  {},
  { probes: [] },
  { probes: {}, expected: { timeoutSeconds: 'x' } },
])
  test(`figures that are damaged are left alone: ${JSON.stringify(damaged)}`, async () => {
    expect(recordOf('t', damaged)).toBeUndefined();
    const metrics = full();
    metrics.restore('t', damaged);
    expect(await metrics.of('t')).toContain('probe_success');
  });

test('a counter is exported only once it is written', async () => {
  const server = new MemoryServer();
  const metrics = full();
  const exported = new ExportedFigures(metrics, new MemoryDatabase(server));
  exported.written('t', figuresOf(metrics));
  const before = await exported.of('t');
  metrics.ran({ ...kept(opens), target: 't' }, true);
  expect(await exported.of('t')).toBe(before);
  exported.written('t', figuresOf(metrics));
  expect(await exported.of('t')).not.toBe(before);
  expect(await exported.of('t', 'opens')).toContain('probe_success');
  expect(await exported.of('t', 'unknown')).toBeUndefined();
});

test('a target that another member holds is exported from the database', async () => {
  const server = new MemoryServer();
  const database = new MemoryDatabase(server);
  const metrics = full();
  const member = { id: 'other', authority: 'other:9797', version: '1.2.3' };
  const nothing = { release: [], dead: [], leaves: false };
  server.beat({ member, leaseMs: 15_000, ...nothing, take: 1, names: ['t'] });
  const value = figuresOf(metrics);
  const rows = { entries: [{ kind: 'figures', key: 'all', value }], events: [], tallies: [] };
  server.write([{ target: 't', fence: 1, number: 1, summary: undefined, ...rows }]);
  const exported = new ExportedFigures(fresh(), database);
  expect(await exported.of('t')).toBe(await metrics.of('t'));
  server.isGone = true;
  await expect(exported.of('t')).rejects.toThrow('the database cannot be read: ECONNREFUSED');
});

test('a run counts even if its target is released in the same second', async () => {
  const fleet = simulatedFleet({ seed: 'released', members: 1, targets: 1, periodSeconds: 10 });
  const [member] = fleet.members;
  member.start();
  await fleet.pass(60_000);
  const kept = () => member.running?.store.hours('target-0', 0)[0]?.kept ?? 0;
  const before = kept();
  while (kept() === before) await fleet.pass(50);
  const after = kept();
  member.running?.retarget([]);
  await fleet.pass(10_000);
  expect(fleet.server.leases.get('target-0')?.holder).toBeUndefined();
  const { entries = [] } = fleet.server.load(['target-0']).get('target-0') ?? {};
  const figures = JSON.parse(entries.find(({ kind }) => kind === 'figures')?.value ?? '{}');
  expect(figures.counts.endings.kept).toBe(after);
});
