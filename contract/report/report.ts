import type { ExitCode } from '../command.ts';
import type { ClauseVerdict } from '../round/verdict.ts';
import { brief, count } from '../words.ts';

/**
 * What is known of an item or a run. A check that was prevented is an alarm; one that lacks a setting is not. `known`:
 * a violation that is tolerated.
 */
export type Mark = ClauseVerdict['verdict'] | 'prevented' | 'doubtful' | 'defect';

/** The mark of a run, by its exit code. */
export const markAt = (exit: ExitCode): Mark =>
  (['holds', 'violated', 'prevented', 'defect'] as const)[exit];

/** One row of evidence: its label, which is empty where the text needs none, and its text. */
export type Row = readonly [label: string, text: string];

/** The label of a row that continues the previous one. */
export const ditto = ' ';

/** What was found, and where else the same: not all other places if there are many. */
export type Evidence = readonly Row[];

/** Something that was judged: a clause, a run of a probe, an interaction, a test of a team. Or an observation. */
export interface Item {
  /** Absent for an observation. */
  readonly mark?: Mark;
  /** In front of the text: the id of a clause, or the consumer of a pact. */
  readonly label: string;
  readonly text: string;
  /** Behind the text: the ids of clauses, or the place of a test. */
  readonly note?: string;
  /** Why it is not verified, or violated: one line, or the stack of a defect. */
  readonly reason?: string;
  /** What all evidence has in common: one line. */
  readonly diagnosis?: string;
  /** Present if it is violated. */
  readonly evidence?: readonly Evidence[];
  /** The command that repeats it. */
  readonly repeat?: string;
  /** Its violation does not fail the run. */
  readonly isPending?: boolean;
}

export interface Section {
  readonly heading?: string;
  /** A terminal shows only what is violated. */
  readonly isLong?: boolean;
  readonly notes?: readonly string[];
  readonly items: readonly Item[];
}

/**
 * A finished run as every format shows it: plain data, in which each text is one line without secrets and control
 * characters. The gate, the probe and the verifier of pacts make one each.
 */
export interface Report {
  /** The document for programs, which has all findings: `gate.json`. */
  readonly file: string;
  readonly target: string;
  readonly startedAt: Date;
  readonly tookSeconds: number;
  /** A success that proves too little counts as prevented. */
  readonly mark: Mark;
  /** The verdict, its evidence and its cost: the last line on a terminal. */
  readonly closing: readonly [verdict: string, ...facts: string[]];
  readonly notes: readonly string[];
  readonly sections: readonly Section[];
  /** What is violated. */
  readonly failures: readonly Item[];
  /** Why the run has no complete verdict. The label: `unjudged`, `doubtful`, `unverified` or `defect`. */
  readonly errors: readonly Item[];
  /** The test results of JUnit. */
  readonly suites: readonly Section[];
}

/** What an item is known by, and the further words about it. */
export const splitItem = ({ label, text, note = '' }: Item): readonly [id: string, rest: string] =>
  label === '' ? [text, note] : [label, text];

/** The marks of what is not verified: doubts come first, then what was prevented. */
export const notVerified = ['doubtful', 'prevented', 'unverified'] as const;

/** What has one of these marks: an item for each reason. */
export const byReason = (sections: readonly Section[], ...marks: readonly Mark[]): Item[] =>
  marks.flatMap((mark) => {
    const all = sections.flatMap(({ items, isLong }) => (isLong ? [] : items));
    const marked = all.filter((item) => item.mark === mark);
    return [...Map.groupBy(marked, ({ reason = '' }) => reason)].map(([text, items]) => {
      const label = items.map((item) => splitItem(item)[0]).join(', ');
      return { mark, label, text };
    });
  });

/** More different findings of one clause hardly help to mend it. */
const maxEvidence = 5;

/** The first evidence with texts of this length, and a last row about the other, which is in the file. */
export function shownEvidence({ evidence = [] }: Item, length: number, file: string): Evidence[] {
  const shown = evidence.slice(0, maxEvidence).map(
    (rows): Evidence =>
      // A cut command is a different command.
      rows.map(([label, text]) => [label, label === 'curl' ? text : brief(text, length)]),
  );
  const left = evidence.length - maxEvidence;
  if (left > 0) shown.push([['', `and ${count(left, 'further finding')}, all of them in ${file}`]]);
  return shown;
}

/** The defects of this suite, each with its stack as evidence. */
export const describeDefects = ({ errors }: Report): Item[] =>
  errors
    .filter(({ label }) => label === 'defect')
    .map((defect) => ({
      ...defect,
      label: '',
      text: `Defect in ${defect.text}`,
      diagnosis: 'This is a defect of the suite, not of the provider: please report it',
      evidence: [(defect.reason ?? '').split('\n', 20).map((line): Row => ['', line])],
    }));
