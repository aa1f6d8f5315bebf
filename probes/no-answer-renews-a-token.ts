import { type Answer, isObject, jsonOf } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import type { CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { Secret, type Token } from '../contract/secrets/secret.ts';
import { issuedTooOld, reachAge } from '../contract/time/age.ts';
import { lifetime, seconds } from '../contract/time/clock.ts';

/**
 * Only the key and the secret key generate a new token (Authentication 7). An answer to the old token, just
 * before or after its end, holds nothing that is accepted from then on.
 */
export const noAnswerRenewsAToken: Probe = {
  name: 'no-answer-renews-a-token',
  clauses: ['EXPIRY-5'],
  needs: 'clock',
  async run({ service, account, endpoint, judge, clock }) {
    const token = await service.issue(account);
    if (!(await reachAge(clock, token, lifetime - before))) return judge.unproven(issuedTooOld);
    const early = await service.call(endpoint, bearer(token));
    await reachAge(clock, token, lifetime + seconds(1));
    const after = await service.call(endpoint, bearer(token));
    if (after.status !== 401) return;
    const offers = [...sessionOf(after), ...tokensOf(after, token), ...tokensOf(early, token)];
    for (const [where, options, of] of offers.slice(0, most)) {
      const answer = await service.call(endpoint, options);
      if (answer.status === 401) continue;
      const authorised = await service.call(endpoint, bearer(await service.issue(account)));
      const clause = of === after ? 'EXPIRY-5' : 'EXPIRY-3';
      const reason = `it came in ${where} of the answer to a token at its end`;
      judge.shut(answer, clause, { control: authorised, authorised, reason });
    }
  },
};

/** Less than a minute, at an instant that another probe uses too. */
const before = seconds(47);

/** Correct providers send a few texts that look like tokens, such as the id of a request. */
const most = 6;

type Offer = readonly [where: string, options: CallOptions, of: Answer];

/** The cookies that a refusal sets. */
function sessionOf(answer: Answer): Offer[] {
  const cookies = valuesOf(answer, /^set-cookie$/i).map((value) => value.split(';')[0]);
  if (cookies.length === 0) return [];
  const cookie = new Secret(cookies.join('; '));
  return [['the cookies', { headers: { Cookie: cookie }, conceals: cookie }, answer]];
}

/** The texts that look like tokens: in a header, in a cookie, and in the body of a refusal. */
function tokensOf(answer: Answer, sent: Token): Offer[] {
  const json = jsonOf(answer);
  const body = json.is === 'json' && answer.status === 401 ? textsIn(json.value) : [];
  const texts = [...valuesOf(answer, /^(?!etag$|date$|content-)/i), ...body]
    .flatMap((text) => text.match(/[\w.~+/-]{16,}=*/g) ?? [])
    .filter((text) => /\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)));
  return [...new Set(texts)]
    .map((text) => new Secret(text))
    .filter((secret) => !secret.equals(sent.secret))
    .map((secret) => [
      'a header or the body',
      { ...bearer({ ...sent, secret }), conceals: secret },
      answer,
    ]);
}

const valuesOf = ({ headers }: Answer, name: RegExp): string[] =>
  headers.filter(([key]) => name.test(key)).map(([, value]) => value);

/** All texts in a JSON value. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value).flatMap(textsIn) : [];
}
