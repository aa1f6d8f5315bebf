import pino, { type LoggerOptions } from 'pino';
import { type Clause, type MustId, mustHold } from '../contract/clauses.ts';
import { findingRows } from '../contract/finding.ts';
import { changedFacts, type KnownFact } from './status/facts.ts';
import { headline, type Status, whyNotJudged } from './status/status.ts';

type Report = (text: string, fields?: object) => void;

/** The log of the monitor: JSON lines, or, on a terminal, one sentence per line. */
export type Log = Readonly<Record<'info' | 'warn' | 'error', Report>>;

interface Lines {
  write(line: string): void;
}

const jsonLines: LoggerOptions = {
  base: null,
  timestamp: pino.stdTimeFunctions.isoTime,
  formatters: { level: (label) => ({ level: label }) },
};

/** @param terminal whether the log goes to a terminal */
export function logTo(lines: Lines, terminal: boolean): Log {
  const logger = pino(jsonLines, terminal ? forTerminal(lines) : lines);
  return {
    info: (text, fields) => logger.info(fields, text),
    warn: (text, fields) => logger.warn(fields, text),
    error: (text, fields) => logger.error(fields, text),
  };
}

/** `12:04:05 sandbox: EXPIRY-4 violated: Every token …`, with the first finding below it. */
function forTerminal(lines: Lines): Lines {
  return {
    write(line) {
      const { time, msg, finding = {}, detail } = JSON.parse(line);
      const below = ['when', ...findingRows]
        .filter((name) => finding[name] !== undefined)
        .map((name) => `           ${name.padEnd(9)} ${finding[name]}\n`);
      const stack = detail === undefined ? [] : [`${detail}\n`];
      lines.write([`${time.slice(11, 19)}   ${msg}\n`, ...below, ...stack].join(''));
    },
  };
}

/** Something that a round has changed: a line of the log, with its fields. */
export interface Change {
  readonly level: 'info' | 'warn';
  readonly text: string;
  readonly event: 'state' | 'verdict' | 'observation';
  readonly [field: string]: unknown;
}

/** The difference of two statuses of one target: what the log reports. */
export const changesBetween = (before: Status, after: Status): Change[] => [
  ...(before.state === after.state ? [] : [stateChange(before, after)]),
  ...mustHold.flatMap((clause) => verdictChange(clause, before, after)),
  ...changedFacts(before, after).map(factChange),
];

function stateChange({ state: before }: Status, after: Status): Change {
  const { state } = after;
  const why = whyNotJudged(after);
  const level = ['violated', 'unreachable', 'partly'].includes(state) ? 'warn' : 'info';
  const text = why === undefined ? headline[state] : `${headline[state]}: ${why}`;
  return { level, text, event: 'state', state, before };
}

/** Only a violation that begins or ends is news: that another clause is verified is not. */
function verdictChange({ id, text }: Clause<MustId>, earlier: Status, after: Status): Change[] {
  const { verdict, reason, findings } = after.clauses[id];
  const before = earlier.clauses[id].verdict;
  if (verdict === before || (verdict !== 'violated' && before !== 'violated')) return [];
  const level = verdict === 'violated' ? 'warn' : 'info';
  const fields = { clause: id, verdict, before, reason, finding: findings[0] };
  return [{ level, text: `${id} ${verdict}: ${text}`, event: 'verdict', ...fields }];
}

function factChange({ id, fact, value, before = '' }: KnownFact): Change {
  const text = `${id} has changed: ${fact}: ${value} (before: ${before})`;
  return { level: 'info', text, event: 'observation', id, fact, value, before };
}
