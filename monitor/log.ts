import type { Writable } from 'node:stream';
import pino, { type LoggerOptions } from 'pino';
import { findingRows } from '../contract/finding.ts';
import type { Run } from './round/run.ts';
import type { Change } from './status/difference.ts';
import { headline } from './status/status.ts';

/** The log of the monitor: JSON lines, or, on a terminal, one sentence per line. */
export interface Log {
  /** Reports the addresses of the page and the metrics. */
  started(message: {
    readonly target: string;
    readonly page: string;
    readonly metrics: string;
  }): void;
  changed(target: string, change: Change): void;
  /** A run that failed because of a defect of ours. */
  defect(run: Run): void;
  /** The state file cannot be written, or can be written again. @param problem one line */
  state(problem: string | undefined): void;
  /** The targets were read again. @param wrong lines that say why the old targets stay in use */
  reloaded(targets: number, wrong: readonly string[]): void;
  /** Anything else that the operator must know: one line. */
  note(text: string): void;
  /** What a note has reported is over: one line. */
  recovered(text: string): void;
  stopping(signal: string): void;
  stopped(drained: boolean): void;
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
    started: ({ target, page, metrics }) =>
      logger.info({ target, page, metrics }, `watching ${target}: page ${page} metrics ${metrics}`),
    changed(target, change) {
      const { level, text, ...fields } = describeChange(change);
      logger[level]({ target, ...fields }, `${target}: ${text}`);
    },
    defect({ target, result }) {
      const probe = result.probe.name;
      const detail = result.detail ?? '';
      logger.error({ target, probe, detail }, `${target}: ${probe}: defect of the monitor`);
    },
    state: (problem) =>
      problem === undefined
        ? logger.info({ event: 'state' }, 'the state is writable again')
        : logger.error({ event: 'state', problem }, problem),
    reloaded(targets, wrong) {
      if (wrong.length === 0)
        logger.info({ event: 'reload', targets }, `watching ${targets} from now on`);
      for (const line of wrong)
        logger.error({ event: 'reload', problem: line }, `nothing is changed: ${line}`);
    },
    note: (text) => logger.warn(text),
    recovered: (text) => logger.info(text),
    stopping: (signal) => logger.info({ signal }, `${signal} received: draining, no new runs`),
    stopped: (drained) =>
      logger.info({ drained }, drained ? 'stopped' : 'stopped before all runs had ended'),
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

/** More than a working reader ever leaves unread. */
const mostUnread = 1024 * 1024;

/**
 * Lines for a stream whose reader may stop reading without closing it, such as a stopped terminal or a log
 * collector that hangs. Unread lines wait in memory, up to a limit. Further lines are dropped. Once there is room,
 * one line reports their number.
 */
export function unlessUnread(stream: Pick<Writable, 'write' | 'writableLength'>): Lines {
  let dropped = 0;
  return {
    write(line) {
      if (stream.writableLength > mostUnread) {
        dropped += 1;
        return;
      }
      if (dropped > 0) {
        const time = new Date().toISOString();
        const msg = `${dropped} lines of the log were dropped because it was not read`;
        stream.write(`${JSON.stringify({ level: 'warn', time, dropped, msg })}\n`);
      }
      dropped = 0;
      stream.write(line);
    },
  };
}
