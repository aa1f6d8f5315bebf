import { expect, test } from '@playwright/test';
import { metricDescriptions } from '../../monitor/metrics/descriptions.ts';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { needs } from '../programs.ts';
import { control, expectLinted, fresh, full, samples, usual } from './metrics-text.ts';
import { broken, defect, unreachable } from './runs.ts';

/** Name, type and labels of each metric in a text, except those of Node and of the process. */
function metricsIn(text: string): string[] {
  const heads = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].filter(
    ([, name]) => !/^(process|nodejs)_/.test(name ?? ''),
  );
  return heads.map(([, name, type]) => {
    const sample = new RegExp(`^${name}(?:_sum)?(?:\\{(.*)\\})? `, 'm').exec(text);
    if (sample === null) throw new Error(`${name} has no sample`);
    const labels = [...(sample[1] ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label);
    return `${name} | ${type} | ${labels.join(', ')}`;
  });
}

const recordIt =
  'a metric that has no value at first needs one in full(), in tests/monitor/metrics-text.ts';

test('every exported metric is described with its type and its labels', async () => {
  const described = metricDescriptions().map(
    ({ name, type, labels }) => `${name} | ${type} | ${labels.join(', ')}`,
  );
  expect(described.sort(), recordIt).toEqual(metricsIn(await full().text()).sort());
});

test('each name has one HELP line, however many targets and probes exist', async () => {
  const metrics = full();
  const names = Array.from({ length: 30 }, (_, index) => `probe-${index}`);
  metrics.expect('u', [...names, control.name], usual);
  metrics.clockOffset('u', 1);
  const heads = [...(await metrics.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(heads.length).toBeGreaterThan(40);
  expect(heads).toEqual([...new Set(heads)]);
  expect(await samples(metrics, 'contract_provider_clock_offset_seconds')).toHaveLength(2);
  expect(await samples(metrics, 'monitor_consecutive_failures')).toHaveLength(32);
});

test('a name that only the last of many probes has gets its HELP line too', async () => {
  const metrics = new Metrics('1.2.3');
  const names = Array.from({ length: 30 }, (_, index) => `probe-${index}`);
  metrics.expect('t', [...names, control.name], usual);
  metrics.ran({ ...unreachable(control), target: 't' }, false);
  expect(await metrics.text()).toMatch(
    /^# HELP probe_success .*\n# TYPE probe_success gauge\nprobe_success\{target="t",probe="a-token-opens-the-endpoint"\} 0$/m,
  );
});

test('a name without a value has no HELP line', async () => {
  expect(await fresh().text()).not.toContain('contract_token_lifetime');
});

test('a target, or one of its probes, is exported alone', async () => {
  const metrics = full();
  metrics.expect('u', [control.name, 'another'], usual);
  const one = (await metrics.of('u')) ?? '';
  expect(one).toContain('probe="another"');
  expect(one).toContain('contract_clause_verdict{target="u"');
  expect(one).not.toMatch(/target="t"|^(monitor_build_info|process_)/m);
  const probe = (await metrics.of('u', 'another')) ?? '';
  expect(probe).toMatch(/^monitor_consecutive_failures\{target="u",probe="another"\} 0$/m);
  expect(probe).not.toMatch(/probe="a-token|contract_/);
  expect(metrics.of('unknown')).toBeUndefined();
  expect(metrics.of('u', 'nothing')).toBeUndefined();
});

test('all series of a target are counted before they exist', async () => {
  const lines = ((await full().of('t')) ?? '').split('\n');
  expect(full().series(), recordIt).toBe(lines.filter((line) => /^[^#]/.test(line)).length);
});

test('labels and errors of a run bring no provider text into the metrics', async () => {
  const metrics = fresh();
  for (const run of [broken(control, 'BEARER-1'), unreachable(control, 'dns'), defect(control)])
    metrics.ran({ ...run, target: 't' }, false);
  const text = await metrics.text();
  for (const message of ['<script', 'widgets', 'TypeError', '2000 ms', 'no token was sent'])
    expect(text).not.toContain(message);
});

test('a name with quotes and line ends stays one label', async () => {
  const metrics = new Metrics('1.2.3');
  metrics.expect('a"b\\c\nd', [control.name], usual);
  expect(await samples(metrics, 'probe_timeout_seconds')).toEqual([
    'probe_timeout_seconds{target="a\\"b\\\\c\\nd",probe="a-token-opens-the-endpoint"} 10',
  ]);
});

test('ten thousand series are rendered without delaying other requests', async () => {
  const metrics = new Metrics('1.2.3');
  const names = Array.from({ length: 35 }, (_, index) => `a-probe-of-some-length-${index}`);
  for (let target = 0; target < 35; target += 1) metrics.expect(`target-${target}`, names, usual);
  const shares: number[] = [];
  for (let time = 0; time < 5; time += 1) {
    const [, { longest, all }] = await Promise.all([metrics.text(), work()]);
    shares.push(longest / all);
  }
  // The minimum counts, because a garbage collection may interrupt single attempts.
  expect(Math.min(...shares)).toBeLessThan(0.6);
});

/** The processor time of this thread in a hundred turns of the event loop, and in the longest turn. */
async function work(): Promise<{ readonly longest: number; readonly all: number }> {
  const turns: number[] = [];
  for (let turn = 0; turn < 100; turn += 1) {
    const before = process.threadCpuUsage();
    await new Promise((resolve) => setImmediate(resolve));
    const { user, system } = process.threadCpuUsage(before);
    turns.push(user + system);
  }
  return { longest: Math.max(...turns), all: turns.reduce((sum, one) => sum + one, 0) };
}

test.describe('linted', () => {
  needs('promtool');

  test('promtool finds nothing', async () => {
    const metrics = full();
    metrics.expect('u', [control.name, 'another'], usual);
    expectLinted(await metrics.text());
  });
});
