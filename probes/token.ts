import { tokenBreach } from '../contract/admission.ts';
import {
  type CredentialAttempt,
  incompleteCredentials,
  renewalsWith,
  wrongPairs,
} from '../contract/attempts/credentials.ts';
import { getNoToken, possibleTokens } from '../contract/attempts/grants.ts';
import { header } from '../contract/http/answer.ts';
import { bearer, NoTokenError } from '../contract/http/client.ts';
import { tokenEndpoint } from '../contract/http/request.ts';
import { isObject } from '../contract/json-value.ts';
import { summarize } from '../contract/judge/findings.ts';
import { daily, type Probe } from '../contract/probe.ts';
import { inBody, readToken } from '../contract/schema.ts';
import { type Secret, seal } from '../contract/secrets/secret.ts';
import { claimsIn, claimText, doubtsIn } from '../contract/token-claims.ts';
import { describeForm } from '../contract/token-form.ts';

/** The whole envelope is judged here, once; the other probes use only the token. The token is valid at once. */
export const rightCredentialsGetAToken: Probe = {
  name: 'right-credentials-get-a-token',
  clauses: ['TOKEN-1', 'TOKEN-4', 'OPEN-1', 'OPEN-3', 'OPEN-4', 'OPEN-5'],
  scope: 'service',
  stage: 'first',
  quick: true,
  everySeconds: 300,
  async run({ account: { apiKey, secretKey }, contract, clock }) {
    const madeAt = clock.now();
    const answer = await contract.issues({ body: { json: { apiKey, secretKey } } });
    const secret = readToken(answer);
    if (secret === undefined || tokenBreach(answer) !== undefined)
      return contract.unproven('no token was issued');
    const names = [inBody(answer), inBody(answer, 'data')].flatMap((part) =>
      isObject(part) ? Object.keys(part) : [],
    );
    const further = names.filter((name) => !known.has(name)).sort();
    const message = String(JSON.stringify(inBody(answer, 'message')));
    const type = header(answer, 'content-type') ?? 'none';
    const caching = header(answer, 'cache-control') ?? 'not said';
    contract.observe('OPEN-1', 'status of a token response', String(answer.status));
    contract.observe('OPEN-3', 'message of a token response', message);
    contract.observe('OPEN-3', 'further fields of a token response', further.join(', ') || 'none');
    contract.observe('OPEN-4', 'form of the token', describeForm(secret));
    const claims = claimsIn(answer);
    contract.record.doubts = doubtsIn(claims);
    if (claims.length > 0)
      contract.observe('OPEN-4', 'claimed life of a token, no proof', claimText(claims));
    contract.observe('OPEN-5', 'content type of a token response', type);
    contract.observe('OPEN-5', 'caching of a token response', caching);
    const token = bearer({ secret, madeAt });
    await contract.admits(token, ['TOKEN-4', 'BEARER-1'], 'the token was made a moment ago');
    await contract.missing();
  },
};

const known: ReadonlySet<string> = new Set(['success', 'message', 'data', 'accessToken']);

/** JSON (RFC 8259) has many texts for one value, and many clients accept any type. */
export const anySpellingOfTheJsonGetsAToken: Probe = {
  name: 'any-spelling-of-the-json-gets-a-token',
  clauses: ['TOKEN-1', 'OPEN-4'],
  scope: 'service',
  stage: 'present',
  everySeconds: daily,
  async run({ service, account, contract }) {
    const { secret } = await service.issue(account);
    const json = (half: Secret): Secret => half.derive((text) => JSON.stringify(text));
    const { apiKey, secretKey } = account;
    const text = seal`\r\n{\t"secretKey" : ${json(secretKey)} ,\n "apiKey" : ${json(apiKey)} }\n`;
    const body = { type: 'application/json', text };
    const reason = 'secretKey comes first, with white space around it';
    const second = readToken(await contract.issues({ body, headers: { Accept: '*/*' } }, reason));
    if (second === undefined) return;
    const result = secret.equals(second) ? 'may be the same' : 'differ';
    contract.observe('OPEN-4', 'two tokens in a row', result);
  },
};

/**
 * Each half of the pair is changed in every way in which comparisons fail, while the other half stays right. An API key
 * is not secret: a stranger who knows it must not be able to invalidate its owner's tokens, as Keycloak lets anyone do.
 */
export const wrongCredentialsGetNoToken: Probe = {
  name: 'wrong-credentials-get-no-token',
  clauses: ['TOKEN-2', 'BEARER-6', 'OPEN-2'],
  scope: 'service',
  stage: 'wrong-credentials',
  quick: true,
  async run(world) {
    const { service, account, contract } = world;
    const token = await service.issue(account);
    await contract.admits(bearer(token), 'BEARER-1');
    const refused = await getNoToken(world, wrongPairs(account), 'TOKEN-2', token.secret);
    contract.observe('OPEN-2', 'answer to wrong credentials', summarize(refused));
    await contract.admits(bearer(token), 'BEARER-6', 'refused token requests went before');
  },
};

/**
 * Both fields must be texts in the body. A loose comparison treats true or an array with one text as equal to the right
 * text. The right texts elsewhere in the request, a valid token or a refresh token do not replace them.
 */
export const incompleteCredentialsGetNoToken: Probe = {
  name: 'incomplete-credentials-get-no-token',
  clauses: ['TOKEN-3', 'OPEN-2'],
  scope: 'service',
  stage: 'wrong-credentials',
  quick: true,
  async run(world) {
    const { account, contract } = world;
    const { answer } = await contract.send({ to: tokenEndpoint, body: { json: account } });
    const token = readToken(answer);
    if (token === undefined) throw new NoTokenError(answer);
    const refused = await getNoToken(world, incompleteCredentials(account), 'TOKEN-3', token);
    contract.observe('OPEN-2', 'answer to incomplete credentials', summarize(refused));
    const given = possibleTokens(answer);
    const renewals = given
      .slice(0, maxGiven)
      .flatMap(renewalsWith)
      .map(([how, options]): CredentialAttempt => {
        return [`the fields are absent, and a text of an earlier answer is ${how}`, options];
      });
    await getNoToken(world, renewals, 'TOKEN-3', token, given);
  },
};

/** A token, a refresh token, and one or two texts that only look like them. */
const maxGiven = 4;
