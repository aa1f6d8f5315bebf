import { expect, test } from '@playwright/test';
import { ContractStatus } from '../../monitor/target/contract-status.ts';
import { type Log, logTo, unlessUnread } from '../../monitor/watch/log.ts';
import { broken, defect, kept, placesFor, probeAbout, unreachable } from './runs.ts';

const probe = probeAbout('opens', ['BEARER-2'], { scope: 'service' });

/** The output of a log during these events. */
function written(terminal: boolean, happen: (log: Log) => void): string {
  let text = '';
  happen(
    logTo(
      {
        write(line) {
          text += line;
        },
      },
      terminal,
    ),
  );
  return text;
}

/** Logs a target that holds, is violated, cannot be reached for two runs, and holds again. */
function episode(log: Log): void {
  const standing = new ContractStatus(placesFor([probe]), [probe], 0);
  const lost = unreachable(probe);
  for (const run of [kept(probe), broken(probe, 'BEARER-2'), lost, lost, kept(probe)])
    for (const change of standing.take(run)) log.changed('one', change);
}

const where = { target: 'one', page: 'http://127.0.0.1:1/', metrics: 'http://127.0.0.1:1/metrics' };

test('the first line shows the addresses of page and metrics', () => {
  const line = 'watching one: page http://127.0.0.1:1/ metrics http://127.0.0.1:1/metrics';
  expect(JSON.parse(written(false, (log) => log.started(where)))).toMatchObject({
    level: 'info',
    ...where,
    msg: line,
  });
  expect(written(true, (log) => log.started(where))).toMatch(
    new RegExp(`^\\d\\d:\\d\\d:\\d\\d {3}${line}\n$`),
  );
});

test('an event is one JSON line, and only news is logged', () => {
  const lines = written(false, episode)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    'info one: The contract holds',
    'warn one: The contract is broken',
    'warn one: BEARER-2 violated: Without the token in the Authorization header a request is refused, wherever else a token travels',
    'info one: No clause could be verified',
    'info one: BEARER-2 unverified: Without the token in the Authorization header a request is refused, wherever else a token travels',
    'warn one: The provider cannot be judged: GET /public-api/v1/widgets: no complete answer in time (2000 ms)',
    'info one: The contract holds',
  ]);
  expect(lines[2]).toMatchObject({
    event: 'verdict',
    clause: 'BEARER-2',
    finding: { probe: 'opens' },
  });
});

test('a breach on a terminal is a sentence followed by its finding', () => {
  const text = written(true, episode).replace(/^\d\d:\d\d:\d\d/gm, '00:00:00');
  expect(text).toContain(
    [
      '00:00:00   one: The contract is broken',
      '00:00:00   one: BEARER-2 violated: Without the token in the Authorization header a request is refused, wherever else a token travels',
      '           when      no token was sent',
      '           asked     GET /public-api/v1/widgets',
      '           expected  401 {"success":false,"message":"Invalid or expired access token."}',
    ].join('\n'),
  );
});

test('a defect is logged with its stack', () => {
  const line = JSON.parse(written(false, (log) => log.defect(defect(probe))));
  expect(line).toMatchObject({ level: 'error', probe: 'opens' });
  expect(line.detail).toContain('    at somewhere');
});

test('a note is a warning, and the end of its trouble is none', () => {
  const level = (happen: (log: Log) => void) => JSON.parse(written(false, happen)).level;
  expect(level((log) => log.note('the earlier certificate stays in use'))).toBe('warn');
  expect(level((log) => log.recovered('the renewed certificate is in use'))).toBe('info');
});

test('an unread log keeps a limited part, and reports later how much is missing', () => {
  let waiting: string[] = [];
  const stream = {
    write: (line: string) => waiting.push(line) > 0,
    get writableLength() {
      return waiting.reduce((sum, line) => sum + line.length, 0);
    },
  };
  const log = logTo(unlessUnread(stream), false);
  const line = 'x'.repeat(1_000);
  for (let count = 0; count < 10_000; count += 1) log.note(line);
  expect(stream.writableLength).toBeLessThan(1.1 * 2 ** 20);
  const kept = waiting.length;
  waiting = [];
  log.note('read again');
  expect(waiting.map((one) => JSON.parse(one).msg)).toEqual([
    `${10_000 - kept} lines of the log were dropped because it was not read`,
    'read again',
  ]);
});
