import { renewalsWith } from '../contract/attempts/credentials.ts';
import { answerTo, isAddress } from '../contract/attempts/grants.ts';
import type { MustId } from '../contract/clauses.ts';
import { type Answer, cookiesOf, jsonOf } from '../contract/http/answer.ts';
import { bearer } from '../contract/http/client.ts';
import { type CallOptions, tokenEndpointName } from '../contract/http/request.ts';
import { textsIn } from '../contract/json-value.ts';
import type { Probe } from '../contract/probe.ts';
import { tokenOf } from '../contract/schema.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { lifetime, seconds } from '../contract/time/clock.ts';
import { issueToken, neverExpired, untilAge } from '../contract/time/token-age.ts';

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
    const { service, account, endpoint, contract, clock } = world;
    const given = await service.exchange({ json: account });
    const token = await issueToken(world);
    await untilAge(clock, token, lifetime - 1);
    const early = await service.call(endpoint, bearer(token));
    // Other probes use this instant, too.
    await untilAge(clock, token, lifetime + seconds(3));
    const after = await service.call(endpoint, bearer(token));
    if (after.status !== 401) return contract.unproven(neverExpired);
    const known = [token.secret, tokenOf(given) ?? token.secret];
    const offersOf = (answer: Answer, of: string, clause: MustId): Offer[] => {
      const reason = `it came in a header or the body of ${of}`;
      return textsOf(answer)
        .filter((secret) => !known.some((one) => one.equals(secret)))
        .slice(0, most)
        .map((secret) => ({ reason, options: bearer({ ...token, secret }), clause }));
    };
    const renewed: Offer[] = [];
    for (const [, options] of renewalsWith(token.secret)) {
      const answer = await answerTo(world, { ...options, token });
      if (answer !== undefined) renewed.push(...offersOf(answer, atTokenEndpoint, 'TOKEN-3'));
    }
    const cookies = cookiesOf(after);
    const inSession = { headers: { Cookie: cookies ?? '' } };
    const session: Offer = { reason: inCookies, options: inSession, clause: 'EXPIRY-5' };
    const offers = [
      ...(cookies === undefined ? [] : [session]),
      ...offersOf(after, atEnd, 'EXPIRY-5'),
      ...offersOf(early, atEnd, 'EXPIRY-3'),
      ...renewed,
      ...offersOf(given, 'the answer that gave a token', 'EXPIRY-2'),
    ];
    for (const offer of offers) {
      const exchanged = await contract.send(offer.options);
      if (exchanged.answer.status === 401) continue;
      const control = await service.call(endpoint, bearer(await service.issue(account)));
      const contrast = { control, authorised: control, reason: offer.reason };
      await contract.judgeBypass(exchanged, offer.clause, contrast);
    }
  },
};

const atEnd = 'the answer to a token at its end';
const inCookies = `it came in the cookies of ${atEnd}`;
const atTokenEndpoint = 'the answer to an expired token at the token endpoint';

/** Correct providers send a few texts that look like tokens, such as the id of a request. */
const most = 4;

/** A request that an answer may have made acceptable, and the clause that is violated if it is. */
interface Offer {
  readonly reason: string;
  readonly options: CallOptions;
  readonly clause: MustId;
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
