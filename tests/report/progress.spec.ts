import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@playwright/test';
import { progress, type Step, stepOf } from '../../contract/report/progress.ts';
import { held } from './rounds.ts';
import { terminal } from './terminal.ts';

const [result] = held.results;
if (result === undefined) throw new Error('the round has outcomes');
const step: Step = { ...stepOf(result), total: 10 };

/** A clock that only the test moves. */
function stopped(): { at: number; now: () => number } {
  const clock = { at: 0, now: () => clock.at };
  return clock;
}

test('a terminal shows one line that is redrawn, and removed at the end', () => {
  const [stream, written] = terminal(80);
  const clock = stopped();
  const shown = progress(stream, 'runs', clock.now);
  shown.step(step);
  clock.at = 100;
  shown.step({ ...stepOf({ ...result, outcome: 'failed' }), total: 10 });
  shown.end();
  const drawn = written().map(stripVTControlCharacters);
  expect(drawn).toEqual([
    `\r${'━'.repeat(20)}   1/10  probe-of-token-1  `,
    `\r${'━'.repeat(20)}   2/10  1 broken  probe-of-token-1  `,
    '\r',
  ]);
  expect(written().join('')).not.toContain('\n');
  expect(written().at(-1)).toBe('\r\u001b[K');
});

test('a terminal line is never wider than the terminal, because it would scroll', () => {
  const [stream, written] = terminal(50);
  const endpoint = `\n\u001b[2JGET /public-api/v1/${'long/'.repeat(30)}`;
  expect(result.probe.scope).toBe('service');
  const everywhere = { ...result.probe, scope: 'core' } as const;
  const wide = stepOf({ ...result, probe: everywhere, endpoint });
  progress(stream, 'runs').step({ ...wide, total: 10 });
  const [line = ''] = written().map(stripVTControlCharacters);
  expect(line.slice(1).length).toBeLessThan(50);
  expect(line).toContain('probe-of-token-1  �');
  expect(line).not.toContain('\n');
});

test('other outputs get a line every thirty seconds', () => {
  const [stream, written] = terminal(undefined);
  const clock = stopped();
  const shown = progress(stream, 'runs', clock.now);
  for (let done = 1; done <= 75; done++) {
    clock.at = done * 1000;
    shown.step({ ...step, total: 80 });
  }
  shown.end();
  expect(written()).toEqual(['30 of 80 runs done after 30 s\n', '60 of 80 runs done after 60 s\n']);
});
