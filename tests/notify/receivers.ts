import { bodyOf } from '../../contract/http/request-encoding.ts';
import type { exchange } from '../../contract/http/transport.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { open, Secret } from '../../contract/secrets/secret.ts';
import type { NotifyConfig, ReceiverConfig } from '../../monitor/config/notify.ts';

/** Keys that are easy to find wherever they leak. */
export const webhookKey = 'planted-WEBHOOK-key-91c2';
export const alertmanagerToken = 'planted-ALERTMANAGER-token-4d';

export const webhook: ReceiverConfig = {
  kind: 'webhook',
  url: new URL('https://hooks.test/contract?tenant=a'),
  secret: new Secret(webhookKey),
};

export const alertmanager: ReceiverConfig = {
  kind: 'alertmanager',
  url: new URL('http://alertmanager.test:9093/'),
  authorization: new Secret(`Bearer ${alertmanagerToken}`),
};

/** The notification settings of a targets file. */
export const configOf = (
  [first = webhook, ...others]: readonly ReceiverConfig[] = [],
  more: Partial<NotifyConfig> = {},
): NotifyConfig => ({
  receivers: [first, ...others],
  resolveAfterMs: 900_000,
  severities: { page: 'page', ticket: 'ticket' },
  labels: {},
  ...more,
});

/** A request as a receiver got it. */
export interface ReceivedRequest {
  readonly host: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Receivers without a socket. */
export interface Receivers {
  exchange: typeof exchange;
  readonly received: readonly ReceivedRequest[];
  /** Returns the status of an answer, by the host; undefined refuses the connection. */
  answer: (host: string, body: string) => number | undefined;
  /** Headers of each answer. */
  headers: readonly (readonly [string, string])[];
  /** What the webhook accepted: `firing ContractMonitorContractBroken ERROR-3`. */
  accepted(): string[];
}

export function receivers(): Receivers {
  const received: ReceivedRequest[] = [];
  const accepted: string[] = [];
  const made: Receivers = {
    received,
    answer: () => 200,
    headers: [],
    accepted: () => accepted,
    async exchange({ origin }, request, where) {
      const body = `${bodyOf(request) ?? ''}`;
      const headers = Object.fromEntries(
        request.headers.map(([name, value]) => [name, text(value)]),
      );
      received.push({ host: origin.host, path: text(request.path), headers, body });
      const status = made.answer(origin.host, body);
      if (status === undefined) throw new Unreachable('connect', where, 'ECONNREFUSED');
      if (status === 200) accepted.push(...linesOf(body));
      const phases = { resolve: 0, connect: 0, tls: 0, processing: 0, transfer: 0 };
      const { headers: answered } = made;
      return { status, httpVersion: '1.1', headers: answered, body: Buffer.alloc(0), phases };
    },
  };
  return made;
}

const text = (value: string | Secret): string => (value instanceof Secret ? open(value) : value);

/** The lines of a webhook's message, or of the alerts of an Alertmanager. */
function linesOf(body: string): string[] {
  const content: unknown = JSON.parse(body);
  return [content].flat().map((one) => {
    const { status = 'alert', labels } = one as { status?: string; labels: Record<string, string> };
    return [status, labels.alertname, labels.clause].filter((part) => part !== undefined).join(' ');
  });
}
