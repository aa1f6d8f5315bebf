import type { TargetStatus } from '../watch/status.ts';
import { type Sign, type Signed, signOf } from './page/markup.ts';

const colours: Readonly<Record<Sign, string>> = {
  holds: '#1f7a51',
  broken: '#c4312a',
  unreachable: '#9a5b00',
  partly: '#9a5b00',
  unverified: '#66615a',
  waiting: '#66615a',
  maintenance: '#66615a',
};

/** The state of a target in one word, as https://shields.io/badges/endpoint-badge reads it. */
export function badge(target: Signed & Pick<TargetStatus, 'name'>) {
  const sign = signOf(target);
  const isError = sign === 'broken' || sign === 'unreachable';
  return { schemaVersion: 1, label: target.name, message: sign, color: colours[sign], isError };
}
