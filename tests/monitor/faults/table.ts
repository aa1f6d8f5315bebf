import { readFileSync, writeFileSync } from 'node:fs';
import type { MustId } from '../../../contract/clauses.ts';
import { notRunYet } from '../../../monitor/status/status.ts';
import { partOf, tableOf, withPart } from '../../../tools/docs/markdown.ts';
import { ours } from '../../process.ts';
import { earlyFaults, earlyTarget } from './before-request.ts';
import { type Fault, requestKinds } from './fault.ts';
import { families, faultCases } from './index.ts';

/** What `/status.json` says of a target, as far as it is read here. */
export interface TargetStatus {
  readonly name: string;
  readonly state: string;
  readonly clauses: readonly {
    readonly id: string;
    readonly verdict: 'holds' | 'violated' | 'unverified';
    readonly cause?: string;
    readonly reason?: string;
  }[];
  /** The latest first. */
  readonly failures: readonly {
    readonly probe: string;
    readonly outcome: string;
    readonly reason?: string;
    readonly detail?: string;
  }[];
  readonly endpoints: readonly { readonly halfHours: readonly { readonly passed: number }[] }[];
}

/** The monitor's status of every target, by its name. */
export type Statuses = ReadonlyMap<string, TargetStatus>;

const clausesThat = ({ clauses }: TargetStatus, is: 'holds' | 'violated' | 'unverified') =>
  clauses.filter(({ verdict }) => verdict === is).map(({ id }) => id);

/** Why the last runs of its probes were not judged. */
function reasonsOf({ failures }: TargetStatus): string[] {
  const reasons = failures.flatMap(({ reason }) => reason ?? []);
  return [...new Set(reasons)].filter((reason) => reason !== 'contract').sort();
}

/** A cell of the table: the state, the violated clauses, and why the clauses of its probes are unverified. */
function cellOf(target: TargetStatus): string {
  const violated = clausesThat(target, 'violated');
  if (violated.length > 0) return `**${target.state}**: ${violated.join(', ')}`;
  // Long lists take more minutes than this test.
  const unverified = target.clauses.filter(
    ({ verdict, cause, reason }) =>
      verdict === 'unverified' && cause !== 'unconfigured' && reason !== notRunYet.reason,
  );
  if (unverified.length === 0) return target.state;
  const why = reasonsOf(target).join(', ') || 'proves nothing';
  const holds = clausesThat(target, 'holds');
  return holds.length === 0
    ? `${target.state}: ${why}`
    : `${target.state}: ${why}; only ${holds.join(', ')} verified`;
}

/** The tables as Markdown. A target that was left out has an empty cell. */
export function tablesOf(output: Statuses): string {
  const cell = (name: string | undefined): string => {
    if (name === undefined) return '—';
    const target = output.get(name);
    return target === undefined ? '' : cellOf(target);
  };
  const rowOf = (fault: Fault): string[] => [
    fault.name,
    ...requestKinds.map((kind) =>
      cell(faultCases.find((one) => one.fault === fault && one.kind === kind)?.target),
    ),
  ];
  const head = ['fault', ...requestKinds.map((kind) => `${kind} request`)];
  const early = tableOf(
    ['fault', 'every request'],
    earlyFaults.map(({ name }, index) => [name, cell(earlyTarget(index))]),
  );
  const parts = families.map(
    ([title, faults]) => `### ${title}\n\n${tableOf(head, faults.map(rowOf))}\n`,
  );
  return [`### Before the request\n\n${early}\n`, ...parts].join('\n');
}

/** Cases in which a fault is not reported as its data specifies. One line each. */
export const disagreements = (output: Statuses): string[] => [
  ...faultCases.flatMap(({ target, fault, kind }) =>
    disagreement(`${fault.name}, ${kind} request`, output.get(target), fault.violated[kind]),
  ),
  ...earlyFaults.flatMap(({ name }, index) =>
    disagreement(name, output.get(earlyTarget(index)), undefined),
  ),
];

function disagreement(
  what: string,
  target: TargetStatus | undefined,
  expected: readonly MustId[] = [],
): string[] {
  if (target === undefined) return [];
  const found = clausesThat(target, 'violated').join(', ') || 'none';
  const due = expected.join(', ') || 'none';
  return found === due
    ? []
    : [`${what}: the monitor reports ${found} as violated, and it should report ${due}`];
}

const readme = ours('monitor/README.md');

/** The tables in `monitor/README.md`. */
export const committedTables = (): string =>
  partOf(readFileSync(readme, 'utf8'), 'faults').trim().concat('\n');

/** The rows without an empty cell: those of the faults that were tried with each kind of request. */
export const filledRows = (tables: string): string[] =>
  tables.split('\n').filter((row) => !row.includes('| |'));

/** Writes the tables between the markers. */
export const commitTables = (tables: string): void =>
  writeFileSync(readme, withPart(readFileSync(readme, 'utf8'), 'faults', `\n${tables}`));
