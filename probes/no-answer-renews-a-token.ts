import { answerTo, isAddress } from '../contract/attempts/grants.ts';
import { renewalsWith } from '../contract/attempts/incomplete-credentials.ts';
import type { MustId } from '../contract/clauses.ts';
import { type Answer, cookiesOf, jsonOf } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { type CallOptions, hasBody, tokenEndpointName } from '../contract/http/request.ts';
import { textsIn } from '../contract/json-value.ts';
import type { Probe } from '../contract/probe.ts';
import { tokenOf } from '../contract/schema.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { issuedTooOld, reachAge } from '../contract/time/age.ts';
import { lifetime, seconds } from '../contract/time/clock.ts';

/**
 * Only the key and the secret key generate a new token (Authentication 7). An answer to the old token, just
 * before or after its end, holds nothing that is accepted from then on, also at the token endpoint. Nor does the
 * answer that gave a token: a refresh token is no access token that lives for a month.
 */
export const noAnswerRenewsAToken: Probe = {
  name: 'no-answer-renews-a-token',
  clauses: ['EXPIRY-5'],
  scope: 'deep',
  stage: 'simulated',
  async run(world) {
    const { service, account, endpoint, endpoints, judge, clock } = world;
    const given = await service.exchange({ json: account });
    const token = await service.issue(account);
    if (!(await reachAge(clock, token, lifetime - before))) return judge.unproven(issuedTooOld);
    const early = await service.call(endpoint, bearer(token));
    await reachAge(clock, token, lifetime + seconds(1));
    const after = await service.call(endpoint, bearer(token));
    if (after.status !== 401) return;
    const known = [token.secret, tokenOf(given) ?? token.secret];
    const offersOf = (answer: Answer, of: string, clause: MustId): Offer[] =>
      textsOf(answer)
        .filter((secret) => !known.some((one) => one.equals(secret)))
        .map((secret) => {
          const options = bearer({ ...token, secret });
          return { reason: `it came in a header or the body of ${of}`, options, clause };
        });
    const offers = [
      ...[...sessionOf(after), ...offersOf(after, atEnd, 'EXPIRY-5')],
      ...offersOf(early, atEnd, 'EXPIRY-3'),
    ].slice(0, most);
    const renewed: Offer[] = [];
    // Once in a round: a service may lock out a client after a few refused token requests.
    const isFirst = endpoint === (endpoints.find(hasBody) ?? endpoints[0]);
    for (const { options } of isFirst ? renewalsWith(token.secret) : []) {
      const answer = await answerTo(world, { ...options, token });
      if (answer !== undefined)
        renewed.push(...offersOf(answer, atTokenEndpoint, 'TOKEN-3').slice(0, most));
    }
    const others = offersOf(given, 'the answer that gave a token', 'EXPIRY-2').slice(0, most);
    for (const { reason, options, clause } of [...offers, ...renewed.slice(0, most), ...others]) {
      const answer = await service.call(endpoint, options);
      if (answer.status === 401) continue;
      const authorised = await service.call(endpoint, bearer(await service.issue(account)));
      judge.shut(answer, clause, { control: authorised, authorised, reason });
    }
  },
};

const atEnd = 'the answer to a token at its end';
const atTokenEndpoint = 'the answer to an expired token at the token endpoint';

/** Less than a minute, at an instant that another probe uses too. */
const before = seconds(47);

/** Correct providers send a few texts that look like tokens, such as the id of a request. */
const most = 6;

/** A request that an answer may have made acceptable, and the clause that is violated if it is. */
interface Offer {
  readonly reason: string;
  readonly options: CallOptions;
  readonly clause: MustId;
}

/** The cookies that a refusal sets. */
function sessionOf(answer: Answer): Offer[] {
  const cookies = cookiesOf(answer);
  if (cookies === undefined) return [];
  const options = { headers: { Cookie: cookies } };
  return [{ reason: `it came in the cookies of ${atEnd}`, options, clause: 'EXPIRY-5' }];
}

/** The texts that look like tokens: in a header, in a cookie, and in the body, unless it is the endpoint's own. */
function textsOf(answer: Answer): Secret[] {
  const { status, request, headers } = answer;
  const json = jsonOf(answer);
  const isRead = status === 401 || request.line.startsWith(tokenEndpointName);
  const body = json.is === 'json' && isRead ? textsIn(json.value) : [];
  const values = headers.flatMap(([name, value]) => (notTokens.test(name) ? [] : [value]));
  const texts = [...values, ...body]
    .flatMap((text) => text.split(/[\s<>"'?#]+/))
    .filter((part) => !isAddress(part))
    .flatMap((part) => part.match(/[\w.~+/-]{16,}=*/g) ?? [])
    .filter((text) => /\d/.test(text) || (/[a-z]/.test(text) && /[A-Z]/.test(text)));
  return [...new Set(texts)].map((text) => new Secret(text, '[secret]', 'itself'));
}

const notTokens = /^(etag$|date$|content-)/i;
