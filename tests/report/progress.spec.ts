import { stripVTControlCharacters } from 'node:util';
import { expect, test } from '@playwright/test';
import { progress } from '../../contract/report/progress.ts';
import { terminal } from './terminal.ts';

test('a terminal shows one line that is redrawn, and removed at the end', () => {
  const [stream, written] = terminal(80);
  let now = 0;
  const shown = progress(stream, 'runs', () => now);
  shown.step({ name: 'a-probe', total: 10 });
  now = 100;
  shown.step({ name: 'another', total: 10 });
  shown.end();
  expect(written().map(stripVTControlCharacters)).toEqual([
    '\r1 of 10 runs done  a-probe',
    '\r2 of 10 runs done  another',
    '\r',
  ]);
  expect(written().join('')).not.toContain('\n');
  expect(written().at(-1)).toBe('\r\u001b[K');
});

test('a terminal line is never wider than the terminal, because it would scroll', () => {
  const [stream, written] = terminal(50);
  progress(stream, 'runs').step({ name: `a-probe\n${'long/'.repeat(30)}`, total: 10 });
  const [line = ''] = written().map(stripVTControlCharacters);
  expect(line.slice(1).length).toBeLessThan(50);
  expect(line).toContain('a-probe�');
});

test('other outputs get a line every thirty seconds', () => {
  const [stream, written] = terminal(undefined);
  let now = 0;
  const shown = progress(stream, 'runs', () => now);
  for (let done = 1; done <= 75; done++) {
    now = done * 1000;
    shown.step({ name: 'a-probe', total: 80 });
  }
  shown.end();
  expect(written()).toEqual(['30 of 80 runs done after 30 s\n', '60 of 80 runs done after 60 s\n']);
});
