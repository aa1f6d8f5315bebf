import pino, { type LoggerOptions } from 'pino';
import { findingRows } from '../contract/finding.ts';

type Report = (text: string, fields?: object) => void;

/** The log of the monitor: JSON lines, or, on a terminal, one sentence per line. */
export interface Log {
  /** Not written. */
  readonly debug: Report;
  readonly info: Report;
  /** Reports what the operator should know: one line. */
  readonly warn: Report;
  readonly error: Report;
}

export interface Lines {
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
  const reporter =
    (level: keyof Log): Report =>
    (text, fields) =>
      logger[level](fields, text);
  return {
    debug: reporter('debug'),
    info: reporter('info'),
    warn: reporter('warn'),
    error: reporter('error'),
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
