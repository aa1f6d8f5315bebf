import pino, { type LoggerOptions } from 'pino';
import { findingRows } from '../contract/finding.ts';
import type { Run } from './round/run.ts';
import type { Change } from './status/difference.ts';
import { headline } from './status/status.ts';

/** The log of the monitor: JSON lines, or, on a terminal, one sentence per line. */
export interface Log {
  info(text: string, fields?: object): void;
  /** Reports what the operator should know: one line. */
  warn(text: string, fields?: object): void;
  error(text: string, fields?: object): void;
  changed(target: string, change: Change): void;
  /** A run that failed because of a defect of ours. */
  defect(run: Run): void;
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
  return {
    info: (text, fields) => logger.info(fields, text),
    warn: (text, fields) => logger.warn(fields, text),
    error: (text, fields) => logger.error(fields, text),
    changed(target, change) {
      const { level, text, ...fields } = describeChange(change);
      logger[level]({ target, ...fields }, `${target}: ${text}`);
    },
    defect({ target, result }) {
      const probe = result.probe.name;
      const detail = result.detail ?? '';
      logger.error({ target, probe, detail }, `${target}: ${probe}: defect of the monitor`);
    },
  };
}

interface LoggedTarget {
  /** `debug` lines are not written: a repeated verification of a clause is not news. */
  readonly level: 'debug' | 'info' | 'warn';
  readonly text: string;
  readonly [field: string]: unknown;
}

function describeChange(change: Change): LoggedTarget {
  switch (change.type) {
    case 'state':
      return {
        event: 'state',
        state: change.to,
        before: change.from,
        level: ['violated', 'unreachable', 'partly'].includes(change.to) ? 'warn' : 'info',
        text:
          change.why === undefined ? headline[change.to] : `${headline[change.to]}: ${change.why}`,
      };
    case 'verdict': {
      const { clause, now, before } = change;
      const { verdict, reason } = now;
      const [finding] = now.findings;
      return {
        event: 'verdict',
        clause: clause.id,
        verdict,
        before,
        reason,
        finding,
        level: verdict === 'violated' ? 'warn' : before === 'violated' ? 'info' : 'debug',
        text: `${clause.id} ${verdict}: ${clause.text}`,
      };
    }
    case 'fact': {
      const { id, fact, value, before } = change.now;
      return {
        event: 'observation',
        id,
        fact,
        value,
        before,
        level: 'info',
        text: `${id} has changed: ${fact}: ${value} (before: ${before ?? ''})`,
      };
    }
  }
}

/** `12:04:05 sandbox: EXPIRY-4 violated: Every token …`, with the first finding below it. */
function forTerminal(lines: Lines): Lines {
  return {
    write(line) {
      const { time, msg, finding, detail } = JSON.parse(line);
      const below =
        finding === undefined
          ? []
          : ['when', ...findingRows]
              .filter((name) => finding[name] !== undefined)
              .map((name) => `           ${name.padEnd(9)} ${finding[name]}\n`);
      const stack = detail === undefined ? [] : [`${detail}\n`];
      lines.write([`${time.slice(11, 19)}   ${msg}\n`, ...below, ...stack].join(''));
    },
  };
}
