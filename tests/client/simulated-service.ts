import type { Answer } from '../../contract/http/answer.ts';
import type { Service } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { Secret } from '../../contract/secrets/secret.ts';

export const widgets: Endpoint = { method: 'GET', path: '/public-api/v1/widgets' };
export const account = { apiKey: new Secret('key'), secretKey: new Secret('secret') };

/** A service whose answers come from a function. It issues a token unless the function throws. */
export function serviceAnswering(next: () => Promise<Answer>): Service {
  const service: Service = {
    issue: () => next().then(() => ({ secret: new Secret('token-0'), madeAt: 0 })),
    call: next,
    connection: (use) => use(service),
  };
  return service;
}
