import { expect, test } from '@playwright/test';
import { changesBetween, type Log, logTo } from '../../monitor/log.ts';
import { reduce } from '../../monitor/status/reduce.ts';
import { fresh, planFor } from './reducing.ts';
import { broken, kept, probeAbout, target, unreachable } from './runs.ts';

const probe = probeAbout('opens', ['BEARER-2']);
const [endpoint] = target.endpoints;

/** The output of a log during these events. */
function written(terminal: boolean, happen: (log: Log) => void): string {
  const lines: string[] = [];
  happen(logTo({ write: (line) => void lines.push(line) }, terminal));
  return lines.join('');
}

/** Logs a target that holds, is violated, cannot be reached for two runs, and holds again with another fact. */
function episode(log: Log): void {
  const saying = (value: string) => kept(probe, { observed: [['OPEN-1', 'a status', value]] });
  const lost = unreachable(probe);
  let status = fresh;
  const runs = [saying('200'), broken(probe, 'BEARER-2'), lost, lost, saying('201'), saying('201')];
  for (const run of runs) {
    const next = reduce(status, run, planFor([probe], [endpoint]));
    for (const { level, text, ...fields } of changesBetween(status, next))
      log[level](`one: ${text}`, fields);
    status = next;
  }
}

const clause =
  'Without the token in the Authorization header a request is refused, wherever else a token travels';

test('a change is one JSON line, and only news is logged', () => {
  const lines = written(false, episode)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
    'info one: The contract holds',
    'warn one: The contract is violated',
    `warn one: BEARER-2 violated: ${clause}`,
    'warn one: The provider cannot be judged: GET /public-api/v1/widgets: no complete answer in time (2000 ms)',
    `info one: BEARER-2 unverified: ${clause}`,
    'info one: The contract holds',
    'info one: OPEN-1 has changed: a status: 201 (before: 200)',
  ]);
  expect(lines[2]).toMatchObject({ event: 'verdict', clause: 'BEARER-2', before: 'holds' });
  expect(lines[2].finding).toMatchObject({ probe: 'opens' });
});

test('on a terminal a violation is a sentence followed by its finding', () => {
  const text = written(true, episode).replace(/^\d\d:\d\d:\d\d/gm, '00:00:00');
  expect(text).toContain(
    [
      '00:00:00   one: The contract is violated',
      `00:00:00   one: BEARER-2 violated: ${clause}`,
      '           when      no token was sent',
      '           asked     GET /public-api/v1/widgets',
      '           expected  401 {"success":false,"message":"Invalid or expired access token."}',
    ].join('\n'),
  );
});
