import { mustHold } from '../../contract/clauses.ts';
import type { MonitorView, TargetView } from '../status/view.ts';

/** The fields that are instants: milliseconds since 1970 in the status. */
const instants = /^(now|startedAt|since|at|from|until|lastRoundAt|earliestExpiry|chainExpiry)$/;

/** The status without what only the monitor needs after a restart: `schemas/status.json`. Instants are in ISO 8601. */
export function statusJson({ own: _, targets, ...monitor }: MonitorView): string {
  const publicView = { ...monitor, targets: targets.map(toPublicTarget) };
  return JSON.stringify(publicView, (name, value: unknown) => {
    if (typeof value === 'number' && instants.test(name)) return new Date(value).toISOString();
    return name === 'buckets' && typeof value === 'object' ? undefined : value;
  });
}

function toPublicTarget({ status, endpoints, ...view }: TargetView) {
  const { target, places, evidence, counters, factHistories, ...known } = status;
  return {
    name: target,
    ...known,
    ...view,
    clauses: mustHold.map(({ id, text }) => ({ id, text, ...status.clauses[id] })),
    endpoints: endpoints.map(({ name }) => ({ name, ...status.endpoints[name] })),
    probes: Object.values(places).map(({ probe, endpoint, at, result }) => {
      const { outcome, unproven } = result ?? {};
      return { probe, endpoint, at, outcome, unproven };
    }),
  };
}

/** Prometheus' service discovery: as with blackbox_exporter, a target is scraped at `/probe`, and is the `instance`. */
export const listScrapeTargets = (targets: readonly TargetView[], { host, protocol }: URL) =>
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
