import { randomUUID } from 'node:crypto';
import { isWebPage } from '../admission.ts';
import { type Answer, jsonOf } from '../http/answer.ts';
import { NoToken, type Service } from '../http/client.ts';
import { prefix, tokenEndpointName, tokenPath } from '../http/request.ts';
import { Unreachable } from '../http/unreachable.ts';
import { field } from '../json-value.ts';
import type { Account } from '../secrets/secret.ts';
import { ClockError } from '../time/clock.ts';

/**
 * The provider cannot be judged, with the reason: one line that says what to do, and which setting is the cause.
 */
export class Unjudgeable extends Error {
  readonly reason: 'credentials' | 'address' | 'unavailable';

  constructor(reason: Unjudgeable['reason'], message: string) {
    super(message);
    this.name = 'Unjudgeable';
    this.reason = reason;
  }
}

/** Whether an error means that the provider cannot be judged. Any other error is a defect of ours. */
export const preventsJudgement = (error: unknown): error is Error =>
  error instanceof Unreachable || error instanceof ClockError || error instanceof Unjudgeable;

/** The names of the address and the credentials where they were configured. */
export interface SettingNames {
  readonly address: string;
  readonly apiKey: string;
  readonly credentials: string;
}

const inEnvironment: SettingNames = {
  address: 'PUBLIC_API_BASE_URL',
  apiKey: 'PUBLIC_API_KEY',
  credentials: 'PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY',
};

/**
 * Requests one token before anything is judged. Credentials that are refused from the start, and an address without
 * the service, are mistakes in the settings. Any other answer without a token is left to the probes, because then the
 * provider violates TOKEN-1.
 * @returns whether the provider issues tokens
 * @throws Unjudgeable
 * @throws Unreachable
 */
export async function checkJudgeable(
  service: Service,
  account: Account,
  names = inEnvironment,
): Promise<boolean> {
  try {
    await service.issue(account);
    return true;
  } catch (error) {
    if (!(error instanceof NoToken)) throw error;
    const { answer } = error;
    const elsewhere = await service.call(
      { method: 'POST', path: `${prefix}${randomUUID()}` },
      { body: { json: {} } },
    );
    if (samePage(answer, elsewhere))
      throw new Unjudgeable(
        'address',
        `every path answers ${answer.status} alike: the service is not at this address (${names.address})`,
      );
    if (absent.has(answer.status))
      throw new Unjudgeable(
        'address',
        `${tokenEndpointName} is answered by ${answer.status}: the service is not at this address (${names.address}), or knows no such key (${names.apiKey})`,
      );
    if (answer.status >= 500 && denies(answer))
      throw new Unjudgeable(
        'unavailable',
        `${tokenEndpointName} is answered by ${answer.status} and an error envelope: the service fails, or refuses the credentials that way (${names.credentials})`,
      );
    if (refusesCredentials(answer))
      throw new Unjudgeable(
        'credentials',
        `the token endpoint refused the credentials with status ${answer.status}${remedy(account, names, guard(answer, elsewhere))}`,
      );
    return false;
  }
}

/** What to look at if the credentials are refused. */
const remedy = ({ apiKey, secretKey }: Account, names: SettingNames, guard: string): string =>
  [apiKey, secretKey].some((one) => one.is((text) => /^<[A-Z_]+>$/.test(text)))
    ? ': they hold a placeholder of the examples, put your own there'
    : ` (${names.credentials})${guard}`;

/** A firewall or Basic authentication in front of the service refuses every path in its own words. */
const guard = (answer: Answer, elsewhere: Answer): string =>
  answer.status === elsewhere.status && !denies(answer)
    ? ', or something in front of it refuses every path to this client'
    : '';

/**
 * The same status and body at the token endpoint and at a nonexistent path. Pages that quote their path count as
 * equal, and so do web pages, which differ in a number or a time. A guard in front of every path may answer both
 * with the 401 or 403 of wrong credentials: then the credentials are the cause.
 */
function samePage(answer: Answer, elsewhere: Answer): boolean {
  const { status } = answer;
  if (status === 401 || status === 403 || status !== elsewhere.status) return false;
  if (status === 404 || (status >= 300 && status < 400)) return true;
  const page = ({ body, request }: Answer): string =>
    body.toString('latin1').replaceAll(request.line.split(' ')[1] ?? tokenPath, '');
  return page(answer) === page(elsewhere) || (isWebPage(answer) && isWebPage(elsewhere));
}

/** Not found, not allowed, gone. */
const absent: ReadonlySet<number> = new Set([404, 405, 410]);

/**
 * OPEN-2: the contract does not show how credentials are refused. A client error, or an error envelope under any
 * status except a server error, can mean nothing else.
 */
const refusesCredentials = (answer: Answer): boolean =>
  denies(answer) || (answer.status >= 400 && answer.status < 500);

function denies(answer: Answer): boolean {
  const json = jsonOf(answer);
  return (
    json.is === 'json' &&
    field(json.value, 'success') === false &&
    field(json.value, 'data') === undefined
  );
}
