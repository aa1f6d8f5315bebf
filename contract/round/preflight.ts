import { randomUUID } from 'node:crypto';
import { type Answer, header, quoteAnswer } from '../http/answer.ts';
import { NoTokenError, type Service } from '../http/client.ts';
import { apiPrefix, type Endpoint, endpointName, tokenEndpoint } from '../http/request.ts';
import { StoppedError, UnreachableError } from '../http/unreachable.ts';
import { inBody, readToken } from '../schema.ts';
import { type Account, seal, type Token } from '../secrets/secret.ts';
import { ClockError } from '../time/clock.ts';
import type { Unverified } from './verdict.ts';

/** The provider cannot be judged. The message is one line that says what to do; the reason names the setting. */
export class UnjudgeableError extends Error {
  readonly reason: 'credentials' | 'address' | 'unavailable';

  constructor(reason: UnjudgeableError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Why nothing about time is judged. */
export const noClockReason =
  "no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE. The next best are the monitor's canaries, which prove EXPIRY-1, EXPIRY-2 and EXPIRY-5 in two days (npm start)";

/** Why nothing more can be judged after an error; undefined if it is a defect of ours. */
export function explainUnjudged(error: unknown): Unverified | undefined {
  const isKnown = [UnreachableError, ClockError, UnjudgeableError].some(
    (kind) => error instanceof kind,
  );
  if (!isKnown || !(error instanceof Error)) return undefined;
  const isSetting = error instanceof UnjudgeableError && error.reason !== 'unavailable';
  return { cause: isSetting ? 'unconfigured' : 'prevented', reason: error.message };
}

/** The names of the address and the credentials where they were configured, by default in the environment. */
const inEnvironment = {
  address: 'PUBLIC_API_BASE_URL',
  credentials: 'PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY',
};

export type SettingNames = Readonly<typeof inEnvironment>;

/**
 * Requests one token before anything is judged: refused credentials, and an address without the service, are mistakes
 * in the settings. @returns undefined if the provider violates TOKEN-1 @throws UnjudgeableError, UnreachableError
 */
export async function checkJudgeable(
  service: Service,
  account: Account,
  names: SettingNames = inEnvironment,
): Promise<Token | undefined> {
  try {
    return await service.issue(account);
  } catch (error) {
    // A port for TLS resets a connection that begins without it.
    if (error instanceof UnreachableError && error.reason === 'reset' && !error.certificate)
      error.message += `: the port may expect https (${names.address})`;
    if (!(error instanceof NoTokenError)) throw error;
    const nonexistent = { method: 'POST', path: `${apiPrefix}${randomUUID()}` };
    const elsewhere = await service.call(nonexistent, { body: { json: {} } });
    const reason = findMistake(error.answer, elsewhere, names);
    if (reason !== undefined) throw reason;
    return undefined;
  }
}

/** Why an answer without a token shows a mistake in the settings, or an outage; undefined if it does not. */
function findMistake(
  answer: Answer,
  elsewhere: Answer,
  { address, credentials }: SettingNames,
): UnjudgeableError | undefined {
  const { status } = answer;
  const isAlike = status === elsewhere.status;
  const says = describeDenial(answer);
  const answered = `${endpointName(tokenEndpoint)} is answered by ${status}${isAlike ? ', as every path' : ''}${says}`;
  const isRefusal = status >= 400 && status < 500;
  const isDenial = inBody(answer, 'success') === false && inBody(answer, 'data') === undefined;
  // The same 400, 401 or 403 as everywhere may be that of wrong credentials.
  if ([404, 405, 410].includes(status) || (isAlike && !isRefusal)) {
    const orKey = isAlike ? '' : `, or knows no such key (${credentials})`;
    const wrongAddress = `the service is not at this address (${address})${orKey}`;
    return new UnjudgeableError('address', `${answered}: ${wrongAddress}`);
  }
  if (isDenial && status >= 500) {
    const fails = `the service fails, or refuses the credentials that way (${credentials})`;
    return new UnjudgeableError('unavailable', `${answered}: ${fails}`);
  }
  // OPEN-2: the contract does not show how credentials are refused. These answers can mean nothing else.
  if (!isDenial && !isRefusal) return undefined;
  const isLocked = /^4(23|29)|lock|attempt|too many|disabled|suspended/i.test(`${status}${says}`);
  const locked = isLocked ? ': locked, perhaps by an earlier run' : '';
  // A firewall or Basic authentication refuses every path in its own words.
  const guard = ', or something in front of it refuses every path to this client';
  return new UnjudgeableError(
    'credentials',
    `the token endpoint refused the credentials with status ${status}${says}${locked} (${credentials})${isAlike && !isDenial ? guard : ''}`,
  );
}

function describeDenial(answer: Answer): string {
  const words = answer.request.words?.() ?? '';
  if (words === '') return '';
  return header(answer, 'location') === undefined ? `, and says "${words}"` : `, and ${words}`;
}

/**
 * Checks a provider that issued tokens, before an unexpected answer becomes a finding. If it answers every request at
 * the token endpoint alike, it was stopped or is being deployed. A firewall may limit requests by 403 (OPEN-8), there
 * or in spite of a new token. @param unexpectedStatus that status, if a valid token got another @throws StoppedError
 */
export async function checkAlive(
  service: Service,
  account: Account,
  endpoint: Endpoint,
  unexpectedStatus?: number,
): Promise<void> {
  const answer = await service.call(tokenEndpoint, { body: { json: account } });
  const { status } = answer;
  const token = readToken(answer);
  // A firewall is known by its words.
  const stopped = (cause: Answer, where: string) =>
    new StoppedError(cause.status === 403 ? quoteAnswer(cause) : cause.status, where);
  if (token !== undefined) {
    if (unexpectedStatus === undefined || unexpectedStatus < 400) return;
    const again = await service.call(endpoint, { authorization: seal`Bearer ${token}` });
    if (again.status !== unexpectedStatus) return;
    throw stopped(again, `${endpointName(endpoint)} with a new token`);
  }
  if (status === 401) return;
  const getAnswer = await service.call({ ...tokenEndpoint, method: 'GET' });
  if (getAnswer.status === status) throw stopped(answer, `every request to ${tokenEndpoint.path}`);
}
