import { field, numberIn } from '../../contract/json-value.ts';
import type { StateStore } from '../state/state.ts';
import { type CanaryVerdict, canaryVerdicts } from './verdict.ts';
import type { Check } from './canary.ts';

export interface CanaryCheckStatus {
  readonly at: Date;
  /** The minimum age of the token at the provider. If the maximum below is absent, it is unknown. */
  readonly leastSeconds: number;
  readonly mostSeconds?: number;
  readonly admitted: boolean;
  readonly verdict: CanaryVerdict;
}

/** The checks of two or three days. */
const mostChecks = 60;

/** The latest checks of a target's canaries, for the page. The state file keeps them over restarts. */
export class CheckLog {
  readonly #target: string;
  readonly #state: StateStore;
  #checks: readonly CanaryCheckStatus[];

  constructor(target: string, state: StateStore) {
    this.#target = target;
    this.#state = state;
    const kept = state.entries(target, 'standing').get(key);
    this.#checks = (Array.isArray(kept) ? kept : []).flatMap(checkFrom);
  }

  add({ at, age, admitted, verdict }: Check): void {
    const check = {
      at: new Date(at),
      leastSeconds: age.least / 1000,
      mostSeconds: age.most === Infinity ? undefined : age.most / 1000,
      admitted,
      verdict,
    };
    this.#checks = [check, ...this.#checks].slice(0, mostChecks);
    this.#state.put(this.#target, 'standing', key, this.#checks);
  }

  /** The latest first. */
  checks(): readonly CanaryCheckStatus[] {
    return this.#checks;
  }
}

const key = 'canary checks';

function checkFrom(value: unknown): CanaryCheckStatus[] {
  const at = new Date(String(field(value, 'at')));
  const leastSeconds = numberIn(value, 'leastSeconds');
  const verdict = canaryVerdicts.find((one) => one === field(value, 'verdict'));
  if (Number.isNaN(at.getTime()) || leastSeconds === undefined || verdict === undefined) return [];
  const mostSeconds = numberIn(value, 'mostSeconds');
  return [{ at, leastSeconds, mostSeconds, admitted: field(value, 'admitted') === true, verdict }];
}
