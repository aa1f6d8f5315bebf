import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { SettingsError } from '../../config/fields.ts';
import { addKnown, readKnown } from '../../config/known-file.ts';
import { mustHold } from '../../contract/clauses.ts';
import type { Finding } from '../../contract/finding.ts';
import { findTolerance, type KnownDeviation } from '../../contract/known.ts';
import type { Level } from '../../contract/round/target.ts';
import { createRound, RoundFacts, violatedVerdict } from '../../contract/round/verdict.ts';
import { probes } from '../../probes/index.ts';

const endpoint = { method: 'GET', path: '/public-api/v1/widgets' };
const where = 'GET /public-api/v1/widgets';
const finder = 'every-endpoint-is-guarded';

const finding: Finding = {
  ...{ clause: 'BEARER-4', probe: finder, endpoint: where },
  ...{ when: 'the scheme is Basic', asked: where, expected: '401', received: '200' },
};

/** A round in which every probe has run and one clause was found violated by one of them. */
function roundWith(known: readonly KnownDeviation[], level?: Level, due = probes, ran = due) {
  const facts = new RoundFacts();
  for (const probe of ran) {
    const place = probe.scope === 'service' ? 'POST /public-api/v1/auth/token' : where;
    const findings = probe.name === finder ? [finding] : [];
    const outcome = findings.length > 0 ? 'failed' : 'passed';
    const result = { probe, endpoint: place, outcome, findings, observations: [] } as const;
    facts.results.set(`${probe.name} ${place}`, { ...result, durationSeconds: 0 });
  }
  return createRound(facts, due, { endpoints: [endpoint], known, level });
}

test('a known deviation that a whole round does not find is gone', () => {
  const round = roundWith([
    { clause: 'BEARER-4', reason: 'mended in spring' },
    { clause: 'ERROR-3', reason: 'the text is translated' },
  ]);
  expect(round).toMatchObject({
    exit: 0,
    gone: ['The known deviation from ERROR-3 is gone: remove it (the text is translated)'],
  });
  expect(round.clauses.filter(({ verdict }) => verdict === 'known')).toHaveLength(1);
  expect(round.clauses).toHaveLength(mustHold.length);
  expect(roundWith([])).toMatchObject({ exit: 1, gone: [] });
  expect(roundWith([{ clause: 'ERROR-3', reason: 'it is' }], 'quick').gone).toEqual([]);
  const mended = [{ clause: 'ERROR-3', reason: 'it is' }] as const;
  const { about = [], other } = Object.groupBy(probes, ({ clauses }) =>
    clauses.includes('ERROR-3') ? 'about' : 'other',
  );
  expect(roundWith(mended, undefined, probes, other).gone).toEqual([]);
  expect(roundWith(mended, undefined, about).gone).toEqual([]);
  const elsewhere = { clause: 'BEARER-4', endpoint: 'GET /other', reason: 'it is' } as const;
  expect(roundWith([elsewhere]).gone).toHaveLength(1);
});

test('the new findings of a clause come first, and known ones have each reason once', () => {
  const judge = (...reasons: (string | undefined)[]) => {
    const findings = reasons.map((known) => ({ ...finding, known }));
    return mustHold.slice(0, 1).map((clause) => violatedVerdict(clause, findings));
  };
  const sorted = [{ known: undefined }, { known: 'a' }, { known: 'a' }];
  expect(judge('a', undefined, 'a')).toMatchObject([{ verdict: 'violated', findings: sorted }]);
  expect(judge('a', 'b', 'a')).toMatchObject([{ verdict: 'known', reason: 'a; b' }]);
});

test('a deviation is known at its endpoint and until its last day only', () => {
  const deviation = { clause: 'BEARER-4', reason: 'mended in spring' } as const;
  const exitWith = (more: Partial<KnownDeviation>) => roundWith([{ ...deviation, ...more }]).exit;
  expect(exitWith({ endpoint: where })).toBe(0);
  expect(exitWith({ endpoint: 'POST /public-api/v1/reports' })).toBe(1);
  expect([exitWith({ probe: finder }), exitWith({ probe: 'another' })]).toEqual([0, 1]);
  expect(findTolerance(finding, [{ ...deviation, until: 10 }], 10)).toBeUndefined();
  expect(exitWith({ until: Date.UTC(9999, 11, 31) })).toBe(0);
  expect(exitWith({ until: Date.UTC(2026, 0, 31) })).toBe(1);
});

test('a file gets an entry for each probe, and one for the form of refusals; a last day ends at midnight', async () => {
  const file = test.info().outputPath('known.yaml');
  writeFileSync(file, 'known: [{ clause: TOKEN-1, reason: mended, until: 2026-12-31 }]');
  expect(readKnown(file)()).toMatchObject([{ until: Date.UTC(2027, 0, 1) }]);
  const isKnown = { ...finding, clause: 'BEARER-1', known: 'mended in spring' } as const;
  const found = (['BEARER-2', 'ERROR-3'] as const).flatMap((clause) =>
    ['one', 'two', 'one'].map((probe) => ({ ...finding, clause, probe })),
  );
  expect(await addKnown(file, [...found, isKnown], { endpoints: [where] })).toBe(3);
  const entries = readFileSync(file, 'utf8').match(/(?<=^ +(- clause|probe): )[\w-]+/gm);
  expect(entries).toEqual(['BEARER-2', 'one', 'BEARER-2', 'two', 'ERROR-3']);
});

test('what every endpoint has is one entry, and what some have is one for each of them', async () => {
  const all = ['GET /a', 'GET /b', 'GET /c'];
  const addFor = async (places: readonly string[], endpoints = all) => {
    const file = test.info().outputPath(`${places.length}.yaml`);
    writeFileSync(file, '');
    await addKnown(
      file,
      places.map((endpoint) => ({ ...finding, endpoint })),
      { endpoints },
    );
    return readFileSync(file, 'utf8').match(/(?<=endpoint: ).*/g) ?? [];
  };
  expect(await addFor(all)).toEqual([]);
  expect(await addFor(all.slice(1))).toEqual(['GET /b', 'GET /c']);
  expect(await addFor(['GET /a'], ['GET /a'])).toEqual(['GET /a']);
  const tokens = 'POST /public-api/v1/auth/token';
  expect(await addFor([tokens, 'GET /a', 'GET /b'])).toEqual([tokens, 'GET /a', 'GET /b']);
  const nowhere = addKnown(test.info().outputPath('none/known.yaml'), [finding], {
    endpoints: all,
  });
  await expect(nowhere).rejects.toThrow(SettingsError);
});

test('a deviation of a target is known of no other, and a file may have none', () => {
  const file = test.info().outputPath('known.yaml');
  writeFileSync(
    file,
    'known: [{ clause: TOKEN-1, reason: a }, { clause: ERROR-1, reason: b, target: one }]',
  );
  const known = (target: string) => readKnown(file)(target).map(({ clause }) => clause);
  expect([known('one'), known('two')]).toEqual([['TOKEN-1', 'ERROR-1'], ['TOKEN-1']]);
  for (const none of ['', 'known:']) {
    writeFileSync(file, none);
    expect(readKnown(file)()).toEqual([]);
  }
});
