import type { TargetStatus } from '../watch/status.ts';

/**
 * A group for each target, as Prometheus' HTTP service discovery reads it. Each target is scraped at `/probe`. As in
 * the configuration of blackbox_exporter, the name becomes `instance`, so `up` has a series for each target. It does
 * not become `target`, a label that the series already have.
 * @param address of this request
 */
export function discovered(
  targets: readonly Pick<TargetStatus, 'name' | 'labels'>[],
  { host: authority, protocol }: Pick<URL, 'host' | 'protocol'>,
) {
  return targets.map(({ name, labels = {} }) => ({
    targets: [authority],
    labels: {
      ...Object.fromEntries(Object.entries(labels).filter(([label]) => !label.startsWith('__'))),
      instance: name,
      __metrics_path__: '/probe',
      ...(protocol === 'https:' ? { __scheme__: 'https' } : {}),
      __param_target: name,
    },
  }));
}
