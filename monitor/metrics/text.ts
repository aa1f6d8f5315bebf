import { setImmediate as turn } from 'node:timers/promises';
import { Counter, Gauge, Histogram, Registry, Summary } from 'prom-client';
import type { Family, Labels, Value } from './family.ts';
import { probeFamilies } from './of-probe.ts';
import { targetFamilies } from './of-target.ts';
import type { ProbeRecord, TargetRecord } from './record.ts';

/**
 * Prints some samples of a family: a head of two lines, and a line each. prom-client, which writes Prometheus' text
 * format, never holds a series: it is shown them when it asks.
 */
type Printer<Of> = (some: readonly Of[]) => Promise<string>;

/** Rendering that takes longer than this yields in between, so that no probe waits for a scrape. */
const longestMs = 2;

/** This number of probes or targets has at most some hundred series in a family: printing them takes less. */
const batchSize = 8;

const kinds = { gauge: Gauge, counter: Counter, summary: Summary, histogram: Histogram };

const ofProbes = probeFamilies.map((family) =>
  printer(family, ({ name, target }: ProbeRecord) => ({ target: target.name, probe: name })),
);
const ofTargets = targetFamilies.map((family) =>
  printer(family, ({ name }: TargetRecord) => ({ target: name })),
);

/** The series of targets, each name under one head. */
export const targetText = async (targets: readonly TargetRecord[]): Promise<string> =>
  (await join(
    ofProbes,
    targets.flatMap(({ probes }) => [...probes.values()]),
  )) + (await join(ofTargets, targets));

/** The series of one probe on one target. */
export const probeText = (probe: ProbeRecord): Promise<string> => join(ofProbes, [probe]);

/** A target has at most this number of series. */
export const seriesOf = ({ probes }: TargetRecord): number =>
  ofOneTarget + probes.size * ofOneProbe;

const sizeOf = (families: readonly { readonly size: number }[]): number =>
  families.reduce((sum, { size }) => sum + size, 0);

const ofOneTarget = sizeOf(targetFamilies);
const ofOneProbe = sizeOf(probeFamilies);

/** Prints family by family, a few at a time, with pauses. */
async function join<Of>(printers: readonly Printer<Of>[], all: readonly Of[]): Promise<string> {
  let text = '';
  let since = performance.now();
  for (const print of printers) {
    let headed = false;
    for (let from = 0; from < all.length; from += batchSize) {
      const [head, body] = split(await print(all.slice(from, from + batchSize)));
      if (body !== '') text += headed ? body : head + body;
      headed ||= body !== '';
      if (performance.now() - since < longestMs) continue;
      await turn();
      since = performance.now();
    }
  }
  return text;
}

/** The two lines of the head, and all others. */
function split(text: string): readonly [string, string] {
  const end = text.indexOf('\n', text.indexOf('\n') + 1) + 1;
  return end === 0 ? [text, ''] : [text.slice(0, end), `${text.slice(end)}\n`];
}

function printer<Of>(family: Family<Of>, labelsOf: (of: Of) => Labels): Printer<Of> {
  const { type, name, help } = family;
  const registry = new Registry();
  const metric = new kinds[type]({ name, help, registers: [registry] });
  return (some) => {
    const values = some.flatMap((one) => {
      const labels = labelsOf(one);
      return family
        .read(one)
        .flatMap(([more, value]) => samples(name, { ...labels, ...more }, value));
    });
    const message = async () => ({ name, help, type, values });
    // A histogram is asked under the second name.
    Object.assign(metric, { get: message, getForPromString: message });
    // It asks at once, so no other samples come in between.
    return registry.getSingleMetricAsString(name);
  };
}

/** prom-client's own form of a sample; a summary has two, and a histogram one more for each bound and for no bound. */
function samples(name: string, labels: Labels, value: Value) {
  if (value === undefined) return [];
  if (typeof value === 'number') return [{ labels, value }];
  const { sum, count } = value;
  const buckets = 'atMost' in value ? [...value.atMost, ['+Inf', count] as const] : [];
  return [
    ...buckets.map(([le, most]) => ({
      metricName: `${name}_bucket`,
      labels: { ...labels, le: String(le) },
      value: most,
    })),
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
