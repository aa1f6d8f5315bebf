import { readFileSync, writeFileSync } from 'node:fs';
import type { MustId } from '../../../contract/clauses.ts';
import type { TargetStatus } from '../../../monitor/watch/status.ts';
import { ours } from '../../process.ts';
import { earlyFaults, earlyTarget } from './before-request.ts';
import { type Fault, requestKinds } from './fault.ts';
import { families, faultCases } from './index.ts';

/** What the monitor says about every target, by its name. */
export type Said = ReadonlyMap<string, TargetStatus>;

const clausesThat = ({ clauses }: TargetStatus, is: 'holds' | 'violated' | 'unverified') =>
  clauses.filter(({ verdict }) => verdict === is).map(({ id }) => id);

/** Why the last runs of its probes were not judged. */
function reasonsOf({ probes }: TargetStatus): string[] {
  const reasons = probes.flatMap(({ last }) => (last?.reason === undefined ? [] : [last.reason]));
  return [...new Set(reasons)].filter((reason) => reason !== 'contract').sort();
}

/** A cell of the table: the state, the violated clauses, and why clauses that its probes are about are unverified. */
function cellOf(target: TargetStatus): string {
  const violated = clausesThat(target, 'violated');
  if (violated.length > 0) return `**${target.state}**: ${violated.join(', ')}`;
  const about = new Set(target.probes.flatMap(({ clauses }) => clauses));
  const unverified = clausesThat(target, 'unverified').filter((id) => about.has(id));
  if (unverified.length === 0) return target.state;
  const why = reasonsOf(target).join(', ') || 'proves nothing';
  const holds = clausesThat(target, 'holds');
  return holds.length === 0
    ? `${target.state}: ${why}`
    : `${target.state}: ${why}; only ${holds.join(', ')} verified`;
}

const escaped = (text: string): string => text.replaceAll('|', '\\|');

const row = (cells: readonly string[]): string => `| ${cells.map(escaped).join(' | ')} |`;

/** The tables as Markdown. A target that was left out has an empty cell. */
export function tablesOf(output: Said): string {
  const cell = (name: string | undefined): string => {
    if (name === undefined) return '—';
    const target = output.get(name);
    return target === undefined ? '' : cellOf(target);
  };
  const rowOf = (fault: Fault): string =>
    row([
      fault.name,
      ...requestKinds.map((kind) =>
        cell(faultCases.find((one) => one.fault === fault && one.kind === kind)?.target),
      ),
    ]);
  const parts = families.map(([title, faults]) => [
    `### ${title}`,
    '',
    row(['fault', 'token request', 'admitted request', 'refused request']),
    '|---|---|---|---|',
    ...faults.map(rowOf),
  ]);
  const early = [
    '### Before the request',
    '',
    row(['fault', 'every request']),
    '|---|---|',
    ...earlyFaults.map(({ name }, index) => row([name, cell(earlyTarget(index))])),
  ];
  return [early, ...parts].map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/** Where a fault is not reported as its data says. One line each. */
export const disagreements = (output: Said): string[] => [
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
const markers = ['<!-- faults: begin -->\n', '<!-- faults: end -->\n'] as const;

/** The text of `monitor/README.md`, in the parts before, between and behind the markers. */
function readmeParts(): [string, string, string] {
  const [before = '', rest] = readFileSync(readme, 'utf8').split(markers[0]);
  const [between = '', behind] = rest?.split(markers[1]) ?? [];
  if (behind === undefined) throw new Error(`monitor/README.md lacks ${markers.join(' or ')}`);
  return [before, between, behind];
}

/** The tables that `monitor/README.md` has. */
export const committedTables = (): string => readmeParts()[1].trim().concat('\n');

/** Writes the tables between the markers. */
export function commitTables(tables: string): void {
  const [before, , behind] = readmeParts();
  writeFileSync(readme, `${before}${markers[0]}\n${tables}\n${markers[1]}${behind}`);
}
