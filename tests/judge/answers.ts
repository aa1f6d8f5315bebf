import { refusalMessage } from '../../contract/admission.ts';
import { type Answer, type Received, readWords } from '../../contract/http/answer.ts';
import type { Service } from '../../contract/http/client.ts';
import { type Endpoint, tokenPath } from '../../contract/http/request.ts';
import { Contract } from '../../contract/judge/contract.ts';
import type { ContractRun } from '../../contract/judge/findings.ts';
import type { Exchanged } from '../../contract/judge/repetitions.ts';
import { Secret } from '../../contract/secrets/secret.ts';

/** An answer to a request for the widgets. Without an explicit content type, the body is JSON. */
export function answer(
  status: number,
  body: unknown = '',
  more: Partial<Answer['request']> & { readonly type?: string } = {},
): Answer {
  const text = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
  const { type = text.length === 0 ? undefined : 'application/json', ...request } = more;
  const line = 'GET /public-api/v1/widgets';
  const received: Received = {
    status,
    headers: type === undefined ? [] : [['Content-Type', type]],
    body: Buffer.from(text),
    phases: { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 },
  };
  return { ...received, request: { line, ...request, words: () => readWords(received, String) } };
}

export const refusal = { success: false, message: refusalMessage };
export const widgets = { success: true, message: 'Here they are.', data: [1, 2] };

/** A request that always gets this answer. */
export const always = (given: Answer): Exchanged => ({ answer: given, resend: async () => given });

/** A contract that sends its requests through a service, and knows one secret, `CANARY-7f3a9c51`. */
export const contractOver = (
  service: Service,
  endpoint: Endpoint,
  more: Partial<ContractRun> = {},
): Contract =>
  new Contract({
    probe: 'a-probe',
    endpointName: 'GET /public-api/v1/widgets',
    endpoint,
    service,
    scrub: (text) => text.replaceAll('CANARY-7f3a9c51', '[secret]'),
    simulated: false,
    ...more,
  });

/** The same, whose requests all get one answer, except at paths that do not exist. */
export function contractGetting(given: Answer, more: Partial<ContractRun> = {}): Contract {
  const service: Service = {
    issue: async () => ({ secret: new Secret('t'), madeAt: 0 }),
    call: async ({ path }) => (known.has(path) ? given : answer(404)),
    connection: (use) => use(service),
  };
  return contractOver(service, { method: 'GET', path: '/public-api/v1/widgets' }, more);
}

const known: ReadonlySet<string> = new Set(['/public-api/v1/widgets', tokenPath]);
