import type { ExitCode } from '../command.ts';
import { brief, count } from './words.ts';

/** How a run ended, by its exit code. A success that proves too little is a warning. */
const levels = ['ok', 'violated', 'warning', 'defect'] as const;
export type Level = (typeof levels)[number];

export const levelAt = (exit: ExitCode): Level => levels[exit];

/** What is known of an item. A check that was prevented is an alarm; one that lacks a setting is not. */
export type Mark = 'holds' | 'violated' | 'unverified' | 'prevented';

/** Something that was judged or observed: a clause, a run of a probe, an interaction. */
export interface Item {
  /** Absent for an observation. */
  readonly mark?: Mark;
  /** In front of the text: the id of a clause, or a duration. */
  readonly label: string;
  readonly text: string;
  /** Behind the text: the ids of clauses. */
  readonly note?: string;
  /** Why it is not verified. */
  readonly reason?: string;
}

export interface Section {
  readonly heading?: string;
  readonly notes?: readonly string[];
  readonly items: readonly Item[];
}

/** One row of a failure: its label, which is empty where the text needs none, and its text. */
export type Row = readonly [label: string, text: string];

/** The label of a row that continues the previous one. */
export const ditto = ' ';

/** What was found, how often, and the other places with the same finding: not all of them if there are many. */
export interface Evidence {
  readonly rows: readonly Row[];
  readonly times: number;
  readonly also: readonly string[];
}

/** What is violated, and what was found. */
export interface Failure {
  readonly id: string;
  readonly text: string;
  readonly evidence: readonly Evidence[];
  /** The command that repeats it, if there is one. */
  readonly again?: string;
  /** It does not fail the run. */
  readonly isPending?: boolean;
}

/** Why a run has no complete verdict. The stack of a defect has several lines. */
export interface RunError {
  readonly type: 'unjudged' | 'unverified' | 'refused' | 'defect';
  readonly title: string;
  readonly text: string;
  /** It does not fail the run. */
  readonly isPending?: boolean;
}

/**
 * A finished run as every format shows it: plain data, in which each text is one line without secrets and control
 * characters. The gate, the probe and the verifier of pacts make one each.
 */
export interface Report {
  readonly name: 'Contract' | 'Pacts';
  /** The document for programs, which has all findings: `gate.json`. */
  readonly file: string;
  readonly target: string;
  readonly startedAt: Date;
  readonly tookSeconds: number;
  readonly level: Level;
  /** The verdict, its evidence and its cost: the last line on a terminal. */
  readonly closing: readonly [verdict: string, ...facts: string[]];
  readonly notes: readonly string[];
  readonly sections: readonly Section[];
  readonly observed: readonly Item[];
  readonly failures: readonly Failure[];
  readonly errors: readonly RunError[];
}

/** What is not verified, by reason; what was prevented comes first. */
export function unverifiedIn({ sections }: Report): (readonly [reason: string, items: Item[]])[] {
  const items = sections.flatMap((section) => section.items);
  const isOpen = ({ mark }: Item): boolean => mark === 'prevented' || mark === 'unverified';
  const byReason = [...Map.groupBy(items.filter(isOpen), ({ reason = '' }) => reason)];
  const isPrevented = ([, same]: (typeof byReason)[number]): boolean =>
    same.some(({ mark }) => mark === 'prevented');
  return [...byReason.filter(isPrevented), ...byReason.filter((one) => !isPrevented(one))];
}

/** How much of a failure a format shows: pieces of evidence, other places of each, and characters of a text. */
export interface Extent {
  readonly evidence: number;
  readonly also: number;
  readonly length: number;
}

/** The rows of each piece of evidence. A cut command is a different command, so it is shown whole. */
export const shownEvidence = (failure: Failure, extent: Extent): Row[][] =>
  failure.evidence.slice(0, extent.evidence).map(({ rows, also, times }) => {
    const shown = also.slice(0, extent.also);
    const left = times - 1 - shown.length;
    return [
      ...rows,
      ...shown.map((text, index): Row => [index === 0 ? 'also' : ditto, text]),
      ...(left <= 0 ? [] : [['', `and ${left.toLocaleString('en-GB')} more like this`] as const]),
    ].map(([label, text]) => [label, label === 'curl' ? text : brief(text, extent.length)]);
  });

/** The sentence about the findings that are not shown; empty if there are none. */
export function leftOut({ evidence }: Failure, shown: number, file: string): string {
  const left = evidence.slice(shown).reduce((sum, { times }) => sum + times, 0);
  return left === 0 ? '' : `and ${count(left, 'further finding')}, all of them in ${file}`;
}

/** A failure as plain text, without its heading. */
export function failureText(failure: Failure, extent: Extent, file: string): string {
  const rest = leftOut(failure, extent.evidence, file);
  const shown = shownEvidence(failure, extent).map((rows) => rows.map(rowText).join('\n'));
  return [
    shown.join('\n\n'),
    ...(rest === '' ? [] : ['', rowText(['', rest])]),
    ...(failure.again === undefined ? [] : [rowText(['again', failure.again])]),
  ].join('\n');
}

/** `  received  `: texts follow their labels; those without a label are aligned with the labels. */
export const indentOf = (label: string): number =>
  label === '' ? 2 : Math.max(label.length, 'received'.length) + 4;

/** A row in plain text. */
export const rowText = ([label, text]: Row): string =>
  `${`  ${label}`.padEnd(indentOf(label))}${text}`;
