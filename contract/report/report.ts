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

/** What was found, how often, and the other places with the same finding: not all of them if there are many. */
export interface Evidence {
  readonly rows: readonly Row[];
  readonly times: number;
  readonly also: readonly string[];
}

/** Something that was judged: a clause, a run of a probe, an interaction, a test of a team. Or an observation. */
export interface Item {
  /** Absent for an observation. */
  readonly mark?: Mark;
  /** In front of the text: the id of a clause, or a duration. */
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
  /** Why the run has no complete verdict. The label is the kind: `unjudged`, `unverified`, `refused` or `defect`. */
  readonly errors: readonly Item[];
  /** The test results of JUnit. */
  readonly suites: readonly Section[];
}

/** What an item is known by, and the further words about it. */
export const splitItem = ({ label, text, note = '' }: Item): readonly [id: string, rest: string] =>
  label === '' ? [text, note] : [label, text];

/** What is not verified; doubts come first, then what was prevented. */
export const unverifiedIn = (sections: readonly Section[]): Item[] =>
  (['doubtful', 'prevented', 'unverified'] as const).flatMap((mark) => byReason(sections, mark));

/** What is violated in ways that are known. */
export const knownIn = (sections: readonly Section[]): Item[] => byReason(sections, 'known');

/** An item for each reason. */
function byReason(sections: readonly Section[], mark: Mark): Item[] {
  const marked = sections
    .flatMap(({ items, isLong }) => (isLong ? [] : items))
    .filter((item) => item.mark === mark);
  return [...Map.groupBy(marked, ({ reason = '' }) => reason)].map(([text, items]) => {
    const label = items.map((item) => splitItem(item)[0]).join(', ');
    return { mark, label, text };
  });
}

/** How much evidence a format shows: pieces, other places of each, and characters of a text. */
export interface Extent {
  readonly evidence: number;
  readonly also: number;
  readonly length: number;
}

/** The rows of each piece of evidence that a format shows, and a last row about the others, which are in the file. */
export function shownRows({ evidence = [] }: Item, extent: Extent, file: string): Row[][] {
  const shown = evidence.slice(0, extent.evidence).map(({ rows, also, times }) => {
    const places = also.slice(0, extent.also);
    const others = places.map((place, at): Row => [at === 0 ? 'also' : ditto, place]);
    const more = times - 1 - places.length;
    if (more > 0) others.push(['', `and ${more.toLocaleString('en-GB')} more like this`]);
    // A cut command is a different command.
    return [...rows, ...others].map(
      ([label, text]): Row => [label, label === 'curl' ? text : brief(text, extent.length)],
    );
  });
  const left = evidence.slice(extent.evidence).reduce((sum, { times }) => sum + times, 0);
  if (left > 0) shown.push([['', `and ${count(left, 'further finding')}, all of them in ${file}`]]);
  return shown;
}
