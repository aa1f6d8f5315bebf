import { isObject } from '../../contract/json-value.ts';
import type { Complaints, Path } from './complaints.ts';

/**
 * The labels that every series of a target has. If a target defined one of these, Prometheus would rename ours to
 * `exported_…`, and rules and dashboards would not find them.
 */
const taken = [
  'clause',
  'fact',
  'le',
  'outcome',
  'phase',
  'probe',
  'reason',
  'state',
  'target',
  'verdict',
  'version',
];

/** Labels that Prometheus adds to the series of a target. Their names must be valid in Prometheus. */
export function labelsOf(
  value: unknown,
  at: Path,
  complaints: Complaints,
): Readonly<Record<string, string>> {
  const labels = new Map<string, string>();
  for (const [name, text] of isObject(value) ? Object.entries(value) : []) {
    const place = [...at, name];
    if (!/^[a-zA-Z_][a-zA-Z0-9_]*$/.test(name))
      complaints.about(place, 'is not a label name: letters, digits and _, no digit first', {
        is: 'name',
      });
    else if (taken.includes(name) || name.startsWith('__'))
      complaints.about(place, `is reserved: choose another name than ${taken.join(', ')} and __…`, {
        is: 'name',
      });
    else if (typeof text === 'string') labels.set(name, text);
  }
  return Object.fromEntries(labels);
}
