import { randomUUID } from 'node:crypto';
import { isWebPage } from './admission.ts';
import { type Answer, field, jsonOf } from './answer.ts';
import type { Account } from './secret.ts';
import { NoToken, prefix, type Service, tokenPath } from './service.ts';

/** The provider cannot be judged, and why: one line that says what to do, and which setting is in question. */
export class Unjudgeable extends Error {
  readonly reason: 'credentials' | 'address';

  constructor(reason: 'credentials' | 'address', message: string) {
    super(message);
    this.name = 'Unjudgeable';
    this.reason = reason;
  }
}

/**
 * Asks for one token before anything is judged. Credentials that are refused from the start, and an address where
 * the service is not, are mistakes of whoever set them; any other answer without a token is left to the probes,
 * because then the provider has broken TOKEN-1.
 * @returns whether tokens can be had
 * @throws Unjudgeable @throws Unreachable
 */
export async function checkJudgeable(service: Service, account: Account): Promise<boolean> {
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
        `every path answers ${answer.status} alike: the service is not at this address (PUBLIC_API_BASE_URL)`,
      );
    if (absent.has(answer.status))
      throw new Unjudgeable(
        'address',
        `POST ${tokenPath} is answered by ${answer.status}: the service is not at this address (PUBLIC_API_BASE_URL), or knows no such key (PUBLIC_API_KEY)`,
      );
    if (refusesCredentials(answer))
      throw new Unjudgeable(
        'credentials',
        `the token endpoint refused the credentials with status ${answer.status} (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)`,
      );
    return false;
  }
}

/**
 * The same status and body at the token endpoint and at a path that nobody serves; pages that quote their path are
 * alike, and so are web pages, which differ in a number or a time. A guard in front of every path may well answer
 * both with the 401 or 403 that wrong credentials get: those speak of the credentials.
 */
function samePage(answer: Answer, elsewhere: Answer): boolean {
  const { status } = answer;
  if (status === 401 || status === 403 || status !== elsewhere.status) return false;
  if (status === 404 || (status >= 300 && status < 400)) return true;
  const page = ({ body, asked }: Answer): string =>
    body.toString('latin1').replaceAll(asked.line.split(' ')[1] ?? tokenPath, '');
  return page(answer) === page(elsewhere) || (isWebPage(answer) && isWebPage(elsewhere));
}

/** Not found, not allowed, gone. */
const absent: ReadonlySet<number> = new Set([404, 405, 410]);

/**
 * OPEN-2: how credentials are refused is not shown; a client's error, or an error envelope under any status, can mean
 * nothing else.
 */
function refusesCredentials(answer: Answer): boolean {
  const json = jsonOf(answer);
  const denied =
    json.is === 'json' &&
    field(json.value, 'success') === false &&
    field(json.value, 'data') === undefined;
  return denied || (answer.status >= 400 && answer.status < 500);
}
