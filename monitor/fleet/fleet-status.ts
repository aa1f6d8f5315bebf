import { field, isNumber } from '../../contract/json-value.ts';
import { headline, type TargetState } from '../target/contract-status.ts';
import type { Maintenance } from '../target/watched-target.ts';
import type { LeaseRow, MemberRow } from './database.ts';

/** What every member's page shows about the fleet. */
export interface FleetStatus {
  readonly members: readonly MemberStatus[];
  readonly targets: readonly HeldTarget[];
  /** Why this member watches nothing, or soon may not watch anything. */
  readonly problem?: string;
}

export interface MemberStatus {
  readonly authority: string;
  readonly version: string;
  readonly startedAt: Date;
  readonly isThis: boolean;
  /** How many targets it holds. */
  readonly targets: number;
}

/** A target, its current holder, and its latest result. */
export interface HeldTarget extends Partial<TargetSummary> {
  readonly name: string;
  /** The address of its holder; absent while no member holds it. */
  readonly authority?: string;
  /** For Prometheus' service discovery. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly maintenance?: Maintenance;
}

/** What a holder reports about a target. */
interface TargetSummary {
  readonly state: TargetState;
  /** The latest run, and whether it was a success. */
  readonly probe: string;
  readonly ranAt: Date;
  readonly success: boolean;
}

/** Combines the database's rows. @param named the targets of the file @param me the id of this member */
export function fleetStatus(
  me: string,
  named: readonly Pick<HeldTarget, 'name' | 'labels' | 'maintenance'>[],
  {
    members,
    leases,
  }: { readonly members: readonly MemberRow[]; readonly leases: readonly LeaseRow[] },
  problem?: string,
): FleetStatus {
  const authorities = new Map(members.map(({ id, authority }) => [id, authority]));
  const rows = new Map(leases.map((row) => [row.target, row]));
  return {
    members: members
      .map(({ id, authority, version, startedAt }) => ({
        authority,
        version,
        startedAt: new Date(startedAt),
        isThis: id === me,
        targets: leases.filter(({ holder }) => holder === id).length,
      }))
      .sort((one, other) => order.compare(one.authority, other.authority)),
    targets: named.map(({ name, labels, maintenance }) => {
      const row = rows.get(name);
      return {
        name,
        labels,
        maintenance,
        authority: authorities.get(row?.holder ?? ''),
        ...summaryFrom(row?.summary),
      };
    }),
    problem,
  };
}

/** The address of the requested target's page on its holder; undefined when no other member holds it. */
export function holderOf({ authority: holder }: HeldTarget, address: string): string | undefined {
  const { protocol, host, pathname, search } = new URL(address);
  return holder === undefined || holder === host
    ? undefined
    : `${protocol}//${holder}${pathname}${search}`;
}

const order = new Intl.Collator('en', { numeric: true });

/** Another version of the monitor may have written this text. */
function summaryFrom(text: string | undefined): Partial<TargetSummary> {
  if (text === undefined) return {};
  const value: unknown = JSON.parse(text);
  const states = Object.keys(headline) as TargetState[];
  const state = states.find((one) => one === field(value, 'state'));
  const probe = field(value, 'probe');
  const ranAt = field(value, 'ranAt');
  if (typeof probe !== 'string' || !isNumber(ranAt)) return { state };
  return { state, probe, ranAt: new Date(ranAt), success: field(value, 'success') === true };
}
