import { randomUUID } from 'node:crypto';
import { type Answer, field, jsonOf } from './answer.ts';
import type { Account } from './secret.ts';
import { type Door, NoToken, prefix, tokenPath } from './service.ts';

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
export async function checkJudgeable(door: Door, account: Account): Promise<boolean> {
  try {
    await door.issue(account);
    return true;
  } catch (error) {
    if (!(error instanceof NoToken)) throw error;
    const { answer } = error;
    const elsewhere = await door.call(
      { method: 'POST', path: `${prefix}${randomUUID()}` },
      { body: { json: {} } },
    );
    if (samePage(answer, elsewhere))
      throw new Unjudgeable(
        'address',
        `every path answers ${answer.status} alike: the service is not at this address (PUBLIC_API_BASE_URL)`,
      );
    if (refusesCredentials(answer))
      throw new Unjudgeable(
        'credentials',
        `the token endpoint refused the credentials with status ${answer.status} (PUBLIC_API_KEY, PUBLIC_API_SECRET_KEY)`,
      );
    return false;
  }
}

/** The same status and body at the token endpoint and at a path that nobody serves; pages that quote their path are alike. */
function samePage(answer: Answer, elsewhere: Answer): boolean {
  if (answer.status !== elsewhere.status) return false;
  if (answer.status === 404 || (answer.status >= 300 && answer.status < 400)) return true;
  const page = ({ body, asked }: Answer): string =>
    body.toString('latin1').replaceAll(asked.line.split(' ')[1] ?? tokenPath, '');
  return answer.body.equals(elsewhere.body) || page(answer) === page(elsewhere);
}

/** OPEN-2: how credentials are refused is not shown; a client's error, or an error envelope under any status, can mean nothing else. */
function refusesCredentials(answer: Answer): boolean {
  const json = jsonOf(answer);
  const denied =
    json.is === 'json' &&
    field(json.value, 'success') === false &&
    field(json.value, 'data') === undefined;
  return denied || (answer.status >= 400 && answer.status < 500);
}
