/*
 * Probes by what they have in common, for the faults that many of them see. They are named and not imported: judge and
 * accused share no code, and `npm run mutants` tells when a list is not what the probes do.
 */

/** Probes that are refused in the present. */
const presentRefusals: readonly string[] = [
  'a-request-without-a-token-is-refused',
  'a-token-in-the-query-is-refused',
  'a-token-in-a-cookie-is-refused',
  'a-token-in-another-header-is-refused',
  'a-token-in-the-body-is-refused',
  'a-made-up-token-is-refused',
  'a-shortened-token-is-refused',
  'a-lengthened-token-is-refused',
  'a-re-cased-token-is-refused',
  'an-altered-token-is-refused',
  'another-scheme-is-refused',
  'a-token-without-its-scheme-is-refused',
  'the-credentials-open-no-endpoint',
  'a-storm-of-refusals-lets-nobody-in',
  'a-used-connection-is-no-way-in',
  'a-remembered-verdict-is-no-way-in',
  'every-cause-gets-the-same-401',
];

/** Probes that see a token at or after its end. */
export const everyEnd: readonly string[] = [
  'an-expired-token-gets-the-same-401',
  'expired-once-24-hours-have-elapsed',
  'expired-is-final',
  'a-newer-token-does-not-revive-the-expired',
  'steady-use-moves-nothing',
  'a-late-first-use-moves-nothing',
  'a-use-in-the-last-millisecond-moves-nothing',
  'every-token-has-its-own-end',
  'a-newer-token-changes-nothing-for-the-older',
  '24-hours-on-every-date',
];

/** Of these, those that see a token which ends within its second day. */
export const lateEnds: readonly string[] = without(
  everyEnd,
  'a-newer-token-does-not-revive-the-expired',
);

/** Probes that see a token end before its time. */
export const earlyEnds: readonly string[] = [
  'valid-until-24-hours-have-elapsed',
  'steady-use-moves-nothing',
  'a-late-first-use-moves-nothing',
  'a-use-in-the-last-millisecond-moves-nothing',
  'every-token-has-its-own-end',
  'a-newer-token-changes-nothing-for-the-older',
  '24-hours-on-every-date',
];

/** Probes that judge a refusal. */
export const everyRefusal: readonly string[] = [...presentRefusals, ...everyEnd];

/** Probes that send a request without a Bearer token. */
export const withoutToken: readonly string[] = [
  'a-request-without-a-token-is-refused',
  'a-token-in-the-query-is-refused',
  'a-token-in-a-cookie-is-refused',
  'a-token-in-another-header-is-refused',
  'a-token-in-the-body-is-refused',
  'the-credentials-open-no-endpoint',
  'a-storm-of-refusals-lets-nobody-in',
  'a-used-connection-is-no-way-in',
  'a-remembered-verdict-is-no-way-in',
  'every-cause-gets-the-same-401',
  'an-expired-token-gets-the-same-401',
];

/** Probes that use a new token before anything else is done. */
export const firstUses: readonly string[] = [
  'a-token-is-valid-at-once',
  'a-token-opens-the-endpoint',
  'refused-requests-change-nothing',
  'another-token-leaves-the-first-alive',
];

/** Probes that send wrong credentials. */
export const wrongCredentials: readonly string[] = [
  'wrong-credentials-get-no-token',
  'patterns-get-no-token',
  'a-field-of-another-type-gets-no-token',
  'a-missing-field-gets-no-token',
  'a-body-that-is-no-object-gets-no-token',
];

/** Probes that send a token which nobody made. */
export const forgeries: readonly string[] = [
  'a-made-up-token-is-refused',
  'a-shortened-token-is-refused',
  'a-lengthened-token-is-refused',
  'a-re-cased-token-is-refused',
  'an-altered-token-is-refused',
  'the-credentials-open-no-endpoint',
  'a-remembered-verdict-is-no-way-in',
  'every-cause-gets-the-same-401',
];

/** A list less some of it. @throws when a name is not in the list */
export function without(list: readonly string[], ...names: readonly string[]): readonly string[] {
  for (const name of names) if (!list.includes(name)) throw new Error(`${name} is not in the list`);
  return list.filter((name) => !names.includes(name));
}
