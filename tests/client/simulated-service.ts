import type { Answer } from '../../contract/http/answer.ts';
import type { Service } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { Secret, type Token } from '../../contract/secrets/secret.ts';
import { hours } from '../../contract/time/clock.ts';
import { answer } from '../judge/answers.ts';

export const widgets: Endpoint = { method: 'GET', path: '/public-api/v1/widgets' };
export const account = { apiKey: new Secret('key'), secretKey: new Secret('secret') };

/** A service whose answers come from a function. It issues a token unless the function throws. */
export function serviceAnswering(next: () => Promise<Answer>): Service {
  const service: Service = {
    issue: () => next().then(() => ({ secret: new Secret('t'), madeAt: 0 })),
    exchange: next,
    call: next,
    connection: (use) => use(service),
  };
  return service;
}

/** A token that the simulated provider issued, when, and whether it has ended early. */
interface Made {
  readonly token: Token;
  readonly at: number;
  ended: boolean;
}

/** A provider without a network. Each request and each answer waits for the given turns. */
export interface SimulatedService extends Service {
  now: number;
  /** How many of the next exchanges get no answer. */
  outages: number;
  /** Makes the provider forget all tokens. */
  wipe(): void;
  readonly made: readonly Made[];
  /** How many exchanges there were. */
  readonly exchanges: { ever: number };
  /** Each use of a token, and how it was answered. */
  readonly uses: { readonly token: Token; readonly status: number }[];
}

export function simulatedService(turn: () => Promise<unknown> = async () => {}): SimulatedService {
  const made: Made[] = [];
  const exchanges = { ever: 0 };

  async function issue(): Promise<Token> {
    exchanges.ever += 1;
    await turn();
    if (service.outages > 0) {
      service.outages -= 1;
      throw new Unreachable('reset', 'POST /public-api/v1/auth/token');
    }
    const token = { secret: new Secret(`token-${made.length}`), madeAt: service.now };
    made.push({ token, at: service.now, ended: false });
    await turn();
    return token;
  }

  const service: SimulatedService = {
    now: 1_000_000,
    outages: 0,
    made,
    exchanges,
    uses: [],
    wipe() {
      for (const one of made) one.ended = true;
    },
    issue,
    exchange: async () => answer(200),
    async call(_endpoint, { token } = {}): Promise<Answer> {
      await turn();
      const known = made.find((one) => one.token === token);
      const valid = known?.ended === false && service.now - known.at < hours(24);
      const status = valid ? 200 : 401;
      await turn();
      if (token !== undefined) service.uses.push({ token, status });
      return answer(status);
    },
    connection: (use) => use(service),
  };
  return service;
}
