import type { ExitCode } from '../command.ts';
import type { ClauseVerdict } from '../round/verdict.ts';

/**
 * What is known of an item or a run. A check that was prevented is an alarm; one that lacks a setting is not. `known`:
 * a violation that is tolerated.
 */
export type Mark = ClauseVerdict['verdict'] | 'prevented' | 'doubtful' | 'defect';

/** The mark of a run, by its exit code. */
export const markAt = (exit: ExitCode): Mark =>
  (['holds', 'violated', 'prevented', 'defect'] as const)[exit];

/** One row of evidence: its label and its text. The first rows may have no label: they say when it was found. */
export type Row = readonly [label: string, text: string];

/** The label of a row that continues the previous one. */
export const ditto = ' ';

/** Something that was judged: a clause, a run of a probe, an interaction, a test of a team. Or an observation. */
export interface Item {
  /** Absent for an observation. */
  readonly mark?: Mark;
  /** In front of the text: the id of a clause, or the consumer of a pact. */
  readonly label: string;
  readonly text: string;
  /** Behind the text: the ids of clauses, or the place of a test. */
  readonly note?: string;
  /** Why it is not verified, or violated: one line. */
  readonly reason?: string;
  /** Present if it is violated: what was found, one after the other, and last the command that repeats it. */
  readonly evidence?: readonly (readonly Row[])[];
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
  /** What is violated, and the defects of this suite. */
  readonly failures: readonly Item[];
  /** Why the run has no complete verdict: one line. */
  readonly incomplete?: string;
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

/** A defect of this suite. @param stack its message, and where in the code it is */
export function createDefect(where: string, stack = ''): Item {
  const advice = 'This is a defect of the suite, not of the provider: please report it';
  const [reason = '', ...lines] = stack.split('\n', 20);
  const calls = lines.map((line, index): Row => [index === 0 ? 'stack' : ditto, line.trim()]);
  const evidence = [[['', advice], ['', reason], ...calls] satisfies Row[]];
  return { mark: 'defect', label: '', text: `Defect of this suite in ${where}`, reason, evidence };
}
