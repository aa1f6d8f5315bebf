import type { TargetStatus } from '../watch/status.ts';

/** A target, and in a fleet the address of its holder. */
interface DiscoveredTarget extends Pick<TargetStatus, 'name' | 'labels'> {
  readonly authority?: string;
}

/**
 * A group for each target, as Prometheus' HTTP service discovery reads it. Each target is scraped at `/probe`: in a
 * fleet at its holder, otherwise here. As in the configuration of blackbox_exporter, the name becomes `instance`. So
 * `up` has a series for each target, which stays the same when the holder changes. The name does not become `target`,
 * which the series already have.
 * @param address of this request; the monitors of a fleet all have TLS, or none has
 */
export function discovered(
  targets: readonly DiscoveredTarget[],
  { host: authority, protocol }: Pick<URL, 'host' | 'protocol'>,
) {
  return targets.map(({ name, labels = {}, authority: holder = authority }) => ({
    targets: [holder],
    labels: {
      ...Object.fromEntries(Object.entries(labels).filter(([label]) => !label.startsWith('__'))),
      instance: name,
      __metrics_path__: '/probe',
      ...(protocol === 'https:' ? { __scheme__: 'https' } : {}),
      __param_target: name,
    },
  }));
}
