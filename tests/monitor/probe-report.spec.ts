import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { plain } from '../../contract/report/terminal.ts';
import type { Round } from '../../contract/round/verdict.ts';
import { formatDocument, formatReport } from '../../monitor/probe/report.ts';
import type { TargetRound } from '../../monitor/probe/round.ts';
import { newStatus } from '../../monitor/status/status.ts';
import * as rounds from '../report/rounds.ts';
import { target } from './runs.ts';

const readSchema = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../schemas/${name}`, import.meta.url), 'utf8'));
const conforms = new Ajv2020({ strict: true, allErrors: true })
  .addSchema(readSchema('gate-report.json'), 'gate-report.json')
  .compile(readSchema('probe-report.json'));

/** A round of the gate as one of the monitor. */
const on = (round: Round, name = 'under-test'): TargetRound => ({
  ...round,
  target: { ...target, name, settingNames: { address: 'url', credentials: 'KEY' } },
  status: newStatus(name, '', 0),
});

const readLines = (...all: TargetRound[]): string[] =>
  formatReport(all, plain()).trim().split('\n');

for (const [name, round] of Object.entries(rounds.all))
  test(`a round that is ${name} conforms to its schema`, () => {
    conforms(JSON.parse(formatDocument([on(round), on(rounds.held)], round.exit)));
    expect(conforms.errors).toBe(null);
  });

test('clauses that no round can verify leave a success its tick, and prevented ones do not', () => {
  expect(readLines(on(rounds.withoutClock)).at(-1)).toMatch(/^✓ No clause violated · 14 held, /);
  expect(readLines(on(rounds.prevented)).at(-1)).toMatch(/^! No clause violated · 13 held, /);
});

test('each of several targets has its name as heading, and a last line counts them', () => {
  const lines = readLines(
    on(rounds.held, 'good'),
    on(rounds.violated, "it's"),
    on(rounds.unjudged),
  );
  expect(lines).toEqual(expect.arrayContaining(['good', "it's", 'under-test']));
  expect(lines.filter((line) => line.startsWith('  again'))).toContain(
    "  again     npm run probe -- --target 'it'\\''s' BEARER-4",
  );
  expect(lines.at(-1)).toBe('3 targets · 1 without a violation, 1 violated, 1 not judged');
});
