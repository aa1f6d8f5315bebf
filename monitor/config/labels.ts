import { isObject } from '../../contract/http/answer.ts';
import type { Complaints, Path } from './complaints.ts';
import type { TargetConfig } from './target.ts';

/**
 * The labels that series of a target have by themselves. Prometheus would rename these to `exported_…` where a target
 * had one of the same name, and no rule and no dashboard would find them.
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

/** Labels that Prometheus puts on the series of a target: names as it has them. */
export function labelsOf(value: unknown, at: Path, complaints: Complaints): TargetConfig['labels'] {
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
