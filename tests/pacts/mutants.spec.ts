import { expect, test } from '@playwright/test';
import { mutantCases } from '../../gate/mutant-case.ts';
import { faulty } from '../../sandbox/faults/index.ts';
import { nightly } from '../nightly.ts';
import { isSampled } from '../sample.ts';
import { endings, ownPact, verifying } from './verifying.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * The exact list of mutants that the monitor's own pact catches. The pact states what the monitor needs; the gate
 * judges the rest. A change of this list changes what `npm run pact:verify` can find.
 */
const seen: Readonly<Record<string, readonly string[]>> = {
  TOKEN: words(`
    message-absent message-null message-number success-absent success-text success-one
    success-false-with-token data-array data-is-the-token token-beside-data token-in-snake-case
    token-number token-empty token-null bare-token token-response-cut token-response-not-utf8
    token-endpoint-fails page-where-json-is-not-named valid-after-a-second
    valid-after-the-first-try
    second-token-in-a-second-is-dead token-ends-with-a-line-break token-in-two-lines
    token-with-a-blank token-ends-with-a-blank token-begins-with-a-tab token-with-a-nul`),
  BEARER: words(`
    refuses-everything one-use no-header-no-check scheme-not-looked-at basic-is-fine-too
    any-token token-by-its-form refusal-cached two-that-share-no-tokens one-of-two-has-no-guard
    one-of-two-reads-any-scheme token-bound-to-its-first-user-agent
    token-bound-to-its-first-accept`),
  ERROR: words(`
    forbidden-instead redirect-to-login ok-with-error-envelope hidden-behind-not-found
    missing-token-is-a-bad-request other-scheme-is-a-bad-request expired-token-is-forbidden
    unknown-token-crashes refusal-without-body refusal-as-page refusal-as-text refusal-cut
    refusal-not-utf8 refusal-in-array refusal-wrapped refusal-success-text refusal-success-zero
    refusal-success-true refusal-success-absent refusal-message-absent refusal-message-null
    refusal-message-array other-message message-without-full-stop message-in-capitals
    missing-token-has-its-message expired-token-has-its-message one-of-two-forbids
    one-of-two-sends-a-page one-of-two-words-it-its-own-way`),
  EXPIRY: words(`
    ends-a-millisecond-late ends-an-hour-early half-a-day seconds-read-as-milliseconds
    leeway-of-a-second leeway-of-30-seconds leeway-of-a-minute leeway-of-five-minutes
    ends-an-hour-late lives-a-week never-ends ends-with-the-hour counted-in-whole-minutes
    idle-timeout verdict-cached-for-ever no-token-after-expiry dead-token-after-expiry
    static-token static-token-of-a-file static-jwt reissued-for-30-days reissued-after-its-end
    given-for-ever-and-dead giving-again-revives one-token-a-day reuse-with-leeway
    leeway-only-at-the-guard jwt-reuse-with-leeway reused-token-ends-an-hour-early
    one-of-two-ends-early one-of-two-never-ends one-of-two-grants-a-minute`),
};

for (const { name, area } of mutantCases.filter((mutant) => mutant.area !== 'VARIANT'))
  test.describe(() => {
    const due = seen[area]?.includes(name) === true;
    if (!isSampled(name, due ? 8 : 50)) nightly();
    test(`the pact ${due ? 'detects' : 'is not about'} the mutant ${name}`, async () => {
      const run = await verifying(ownPact, { provider: faulty(name) });
      expect([run.defect, run.unjudged]).toEqual([undefined, undefined]);
      expect(run.exit, endings(run).join('\n')).toBe(due ? 1 : 0);
      expect(endings(run).filter((ending) => ending.includes(': unverified'))).toEqual([]);
    });
  });

test('every listed mutant belongs to its area', () => {
  for (const [area, names] of Object.entries(seen)) {
    const all = mutantCases.filter((mutant) => mutant.area === area).map(({ name }) => name);
    expect(names.filter((name) => !all.includes(name))).toEqual([]);
  }
});

for (const { name } of mutantCases.filter((mutant) => mutant.area === 'VARIANT'))
  test.describe(() => {
    if (!isSampled(name, 25)) nightly();
    test(`the pact accepts the variant ${name}`, async () => {
      const run = await verifying(ownPact, { provider: faulty(name) });
      expect([run.defect, run.unjudged, run.exit]).toEqual([undefined, undefined, 0]);
      const open = endings(run).filter((ending) => !ending.endsWith(': verified'));
      expect(open.every((ending) => name === 'nothing-there' && ending.includes('404'))).toBe(true);
    });
  });
