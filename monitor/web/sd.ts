import type { TargetView } from '../status/view.ts';

/**
 * A group for each target, as Prometheus' HTTP service discovery reads it. Each target is scraped at `/probe`. As in
 * the configuration of blackbox_exporter, the name becomes `instance`, so `up` has a series for each target. It does
 * not become `target`, a label that the series already have.
 * @param address of this request
 */
export const discovered = (targets: readonly TargetView[], { host, protocol }: URL) =>
  targets.map(({ status, labels = {} }) => ({
    targets: [host],
    labels: {
      ...Object.fromEntries(Object.entries(labels).filter(([label]) => !label.startsWith('__'))),
      instance: status.target,
      __metrics_path__: '/probe',
      ...(protocol === 'https:' ? { __scheme__: 'https' } : {}),
      __param_target: status.target,
    },
  }));
