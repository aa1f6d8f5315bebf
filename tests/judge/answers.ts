import { refusalMessage } from '../../contract/admission.ts';
import type { Answer } from '../../contract/http/answer.ts';
import type { Service } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import { ProbeContract } from '../../contract/judge/probe-contract.ts';
import { ProbeJudge } from '../../contract/probe-judge.ts';

/** An answer to a request for the widgets. Without an explicit content type, the body is JSON. */
export function answer(
  status: number,
  body: unknown = '',
  more: { readonly line?: string; readonly type?: string; readonly tokenAgeMs?: number } = {},
): Answer {
  const text = typeof body === 'string' || body instanceof Buffer ? body : JSON.stringify(body);
  const { line = 'GET /public-api/v1/widgets', tokenAgeMs } = more;
  const type = more.type ?? (text.length === 0 ? undefined : 'application/json');
  return {
    request: { line, tokenAgeMs },
    status,
    httpVersion: '1.1',
    headers: type === undefined ? [] : [['Content-Type', type]],
    body: Buffer.from(text),
    phases: { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 },
  };
}

export const refusal = { success: false, message: refusalMessage };
export const widgets = { success: true, message: 'Here they are.', data: [1, 2] };

/** A judge that knows one secret, `CANARY-7f3a9c51`. */
export function context(more: Partial<ConstructorParameters<typeof ProbeJudge>[2]> = {}) {
  const judge = new ProbeJudge('a-probe', 'GET /public-api/v1/widgets', {
    scrub: (text) => text.replaceAll('CANARY-7f3a9c51', '[secret]'),
    simulated: false,
    ...more,
  });
  return [judge, judge.record] as const;
}

/** The same as a contract that sends its requests through a service. */
export const contractOver = (service: Service, endpoint: Endpoint): ProbeContract =>
  new ProbeContract({
    probe: 'a-probe',
    endpointName: 'GET /public-api/v1/widgets',
    endpoint,
    service,
    scrub: (text) => text.replaceAll('CANARY-7f3a9c51', '[secret]'),
    simulated: false,
  });
