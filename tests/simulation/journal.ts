import { duration } from '../../contract/durations.ts';

/** Records events, so that a failure shows what happened before it. */
export interface Journal {
  note(text: string): void;
  /** Records a violated invariant. The simulation ends with it at its next step. */
  complain(text: string): void;
  /** @throws Error with the first complaint, its day, and what happened before it */
  settle(): void;
}

/** The number of notes that are printed. */
const mostNotes = 40;

/** @param truth true time since the beginning, in milliseconds; @param replay how to repeat this simulation */
export function journal(truth: () => number, replay: string): Journal {
  const notes: string[] = [];
  let complaint: string | undefined;

  const dated = (text: string): string =>
    `day ${Math.floor(truth() / 86_400_000)}, ${duration(truth() % 86_400_000)}: ${text}`;

  return {
    note(text) {
      notes.push(dated(text));
      if (notes.length > mostNotes) notes.shift();
    },
    complain(text) {
      complaint ??= `${dated(text)}\n\nbefore that:\n  ${notes.join('\n  ')}\n\nagain: ${replay}`;
    },
    settle() {
      if (complaint !== undefined) throw new Error(complaint);
    },
  };
}
