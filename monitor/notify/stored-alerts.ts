import type { StateStore } from '../state/state.ts';
import { alertFrom } from './alert.ts';
import { type Alerts, type FiringAlert, noAlerts } from './decide.ts';

/** The firing alerts of a target, as an earlier process stored them. @throws StateOpenError when the disk fails */
export function storedAlerts(target: string, state: StateStore): Alerts {
  const firing = [...state.entries(target, 'alert')].flatMap(
    ([key, value]): [string, FiringAlert][] => {
      const alert = alertFrom(value);
      return alert === undefined ? [] : [[key, { alert, isHeld: 'clause' in alert.labels }]];
    },
  );
  return { ...noAlerts, firing: new Map(firing) };
}

/** Stores which alerts have begun and ended. */
export function storeAlerts(
  target: string,
  before: Alerts,
  { firing }: Alerts,
  state: StateStore,
): void {
  for (const key of before.firing.keys()) if (!firing.has(key)) state.remove(target, 'alert', key);
  for (const [key, { alert }] of firing)
    if (before.firing.get(key)?.alert !== alert) state.put(target, 'alert', key, alert);
}
