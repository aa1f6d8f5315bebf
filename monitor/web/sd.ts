import type { TargetStatus } from '../watch/status.ts';

/** A group of targets as Prometheus' HTTP service discovery reads it. */
export interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/**
 * A group for each target: all are scraped here, each at `/probe`. The name becomes `instance`, as in the configuration
 * of blackbox_exporter, so that `up` is told apart too; it does not become `target`, which the series carry themselves.
 * @param authority where the monitor is reached, as `host:port`
 */
export function discovered(
  targets: readonly Pick<TargetStatus, 'name' | 'labels'>[],
  authority: string,
): TargetGroup[] {
  return targets.map(({ name, labels = {} }) => ({
    targets: [authority],
    labels: {
      ...Object.fromEntries(Object.entries(labels).filter(([label]) => !label.startsWith('__'))),
      instance: name,
      __metrics_path__: '/probe',
      __param_target: name,
    },
  }));
}
