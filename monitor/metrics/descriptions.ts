import type { MetricDescription } from './family.ts';
import { certificateFamilies, measuredFamilies } from './measured.ts';
import { countFamilies, probeFamilies } from './of-probe.ts';
import { targetFamilies } from './of-target.ts';
import { MonitorFigures } from './own.ts';

/** Every metric that the monitor exports, besides those of Node and of the process. */
export const metricDescriptions = (): readonly MetricDescription[] => [
  ...described(measuredFamilies, 'target', 'probe'),
  ...described(certificateFamilies, 'target'),
  ...described(countFamilies, 'target'),
  ...described(probeFamilies, 'target', 'probe'),
  ...described(targetFamilies, 'target'),
  ...new MonitorFigures('').descriptions,
];

/** @param owner the labels that every series of these metrics has first */
const described = (
  metrics: readonly MetricDescription[],
  ...owner: readonly string[]
): MetricDescription[] =>
  metrics.map(({ type, name, help, labels }) => ({
    type,
    name,
    help,
    labels: [...owner, ...labels],
  }));
