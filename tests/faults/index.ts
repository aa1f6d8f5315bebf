import type { MustId } from '../../contract/clauses.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import type { Faults } from './fault.ts';
import * as exported from './tables.ts';

/** Each table of faults. */
export const tables: readonly Faults[] = Object.entries<unknown>(exported).flatMap(
  ([name, table]) => (/(Faults|Variants)$/.test(name) ? [table as Faults] : []),
);

const areas = ['TOKEN', 'BEARER', 'ERROR', 'EXPIRY', 'VARIANT'] as const;

/** A fault by its name. */
export interface FaultCase {
  readonly name: string;
  /** That of the first clause that it violates; `VARIANT` for what the contract permits. */
  readonly area: string;
  readonly breaks: readonly MustId[];
  readonly socket: boolean;
  readonly alone: boolean;
}

/** All mutants and variants, by area. */
export const faultCases: readonly FaultCase[] = tables
  .flatMap((table) => Object.entries(table))
  .map(([name, { breaks = [], socket = false, alone = false }]) => {
    const clauses = [breaks].flat();
    const area = areas.find((prefix) => clauses[0]?.startsWith(prefix)) ?? 'VARIANT';
    return { name, area, breaks: clauses, socket, alone };
  })
  .sort((a, b) => areas.indexOf(a.area) - areas.indexOf(b.area));

const all: Faults = Object.assign({}, ...tables);

/** The behaviour of the sandbox with a fault switched on. @throws when there is no such fault */
export function faulty(name: string): Behaviour {
  const fault = all[name];
  if (fault === undefined) throw new Error(`tests/faults has no fault ${JSON.stringify(name)}`);
  return { ...right, ...fault };
}
