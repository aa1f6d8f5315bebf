import type { TargetStatus } from '../watch/status.ts';

/** A group of targets as Prometheus' HTTP service discovery reads it. */
export interface TargetGroup {
  readonly targets: readonly string[];
  readonly labels: Readonly<Record<string, string>>;
}

/** A target, and in a fleet where its holder is reached. */
interface DiscoveredTarget extends Pick<TargetStatus, 'name' | 'labels'> {
  readonly authority?: string;
}

/**
 * A group for each target: each is scraped at `/probe`, at its holder in a fleet, and else here. The name becomes
 * `instance`, as in the configuration of blackbox_exporter, so that `up` is told apart too, and stays when the holder
 * changes; it does not become `target`, which the series carry themselves.
 * @param authority where the monitor is reached, as `host:port`
 */
export function discovered(targets: readonly DiscoveredTarget[], authority: string): TargetGroup[] {
  return targets.map(({ name, labels = {}, authority: holder = authority }) => ({
    targets: [holder],
    labels: {
      ...Object.fromEntries(Object.entries(labels).filter(([label]) => !label.startsWith('__'))),
      instance: name,
      __metrics_path__: '/probe',
      __param_target: name,
    },
  }));
}
