import { createHmac, hash } from 'node:crypto';
import { header } from '../../contract/http/answer.ts';
import { httpDate } from '../../contract/http/http-date.ts';
import { exchange } from '../../contract/http/transport.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { count } from '../../contract/report/words.ts';
import { type Secret, seal } from '../../contract/secrets/secret.ts';
import type { AlertmanagerConfig, ReceiverConfig, WebhookConfig } from '../config/notify.ts';
import type { Message } from './alert.ts';

/** The result of an attempt to deliver messages: no problem, or one line that describes it. */
export interface Attempt {
  readonly problem?: string;
  /** Whether only these messages were refused: the receiver may accept others. */
  readonly isRefused?: boolean;
}

export interface Receiver {
  /** Unique among the receivers: messages that wait for it are stored under this name. */
  readonly name: string;
  readonly kind: ReceiverConfig['kind'];
  /** Its name for users: `Alertmanager at HOST`. */
  readonly title: string;
  /** The most messages in one request. */
  readonly most: number;
  /** The least time between two messages about the same alert (milliseconds). */
  readonly spacingMs: number;
  /** The receiver needs firing alerts again after this time (milliseconds); if absent, it does not. */
  readonly repeatMs?: number;
  /** It never throws. @param now milliseconds since 1970 */
  send(messages: readonly Message[], now: number): Promise<Attempt>;
}

/** A request in the format of the receiver's kind. */
interface EncodedMessages {
  readonly path: string;
  readonly headers: readonly (readonly [string, string | Secret])[];
  readonly body: string;
}

/** Some receivers answer with a whole page. */
const bounds = { timeoutMs: 10_000, maxBodyBytes: 1024 * 1024 };

const minuteMs = 60_000;

/** Much less than the duration for which an alert fires. */
const mostSkewMs = 2 * minuteMs;

/** An Alertmanager waits before it reports an alert, and does not report one that ends sooner. */
const alertmanager = { most: 100, spacingMs: minuteMs, repeatMs: minuteMs };

/** @param send a network instead of the real one */
export function receiverOf(config: ReceiverConfig, send: typeof exchange = exchange): Receiver {
  const { kind, url, ca, proxies } = config;
  const isAlertmanager = config.kind === 'alertmanager';
  const title = `${isAlertmanager ? 'Alertmanager' : 'webhook'} at ${url.host}`;
  const connection = { ...bounds, origin: url, ca, proxies };
  return {
    kind,
    title,
    name: `${kind} ${hash('sha256', url.href).slice(0, 16)}`,
    ...(isAlertmanager ? alertmanager : { most: 1, spacingMs: 0 }),
    async send(messages, now) {
      const { path, headers, body } =
        config.kind === 'alertmanager'
          ? encodeForAlertmanager(config, messages, now)
          : encodeForWebhook(config, messages, now);
      const all = [['Content-Type', 'application/json'] as const, ...agent, ...headers];
      try {
        const request = { method: 'POST', path, headers: all, body };
        const answer = await send(connection, request, title);
        const { status } = answer;
        if (status < 200 || status >= 300)
          return {
            problem: `${title} answers with status ${status}`,
            isRefused: !isAlertmanager && refusals(status),
          };
        const skewed = isAlertmanager ? skew(header(answer, 'date'), now) : undefined;
        return skewed === undefined ? {} : { problem: `${title}: ${skewed}` };
      } catch (error) {
        return {
          problem: error instanceof Unreachable ? error.message : `${title}: ${kindOf(error)}`,
        };
      }
    },
  };
}

/**
 * An Alertmanager compares the end time of an alert with its own clock. If the clocks differ by much, it treats a
 * firing alert as ended. A webhook checks the timestamp itself.
 */
function skew(date: string | undefined, now: number): string | undefined {
  const aheadMs = (httpDate(date) ?? now) - now;
  const isSkewed = Math.abs(aheadMs) > mostSkewMs;
  if (!isSkewed) return undefined;
  const difference = count(Math.round(Math.abs(aheadMs) / minuteMs), 'minute');
  return `its clock is ${difference} ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine, so alerts end at wrong times: set both clocks`;
}

const agent = [['User-Agent', 'public-api-monitor']] as const;

/** 408 Request Timeout and 429 Too Many Requests are excluded: they concern the receiver, not these messages. */
const refusals = (status: number): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;

/** Only the name is used: the error's message may quote what was sent. */
const kindOf = (error: unknown): string =>
  `the request cannot be sent (${error instanceof Error ? error.name : typeof error})`;

/** How long an alert fires if it is not sent again. */
const lastsMs = 300_000;

/** How long a test alert fires. */
const testLastsMs = 60_000;

/**
 * Encodes alerts for `POST /api/v2/alerts`. After a step of the clock, the times of an alert may be later than now. An
 * Alertmanager refuses an alert that starts after its end, and continues one that ends later than now.
 * https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml
 * @param now milliseconds since 1970
 */
function encodeForAlertmanager(
  { url, authorization }: AlertmanagerConfig,
  messages: readonly Message[],
  now: number,
): EncodedMessages {
  const alerts = messages.map(({ status, alert, endsAt }) => ({
    labels: alert.labels,
    annotations: alert.annotations,
    startsAt: instant(Math.min(alert.startsAt, now)),
    endsAt: instant(Math.min(endsAt ?? Infinity, now + lastsMsOf(status))),
    generatorURL: alert.link,
  }));
  return {
    path: `${url.pathname.replace(/\/$/, '')}/api/v2/alerts`,
    headers: authorization === undefined ? [] : [['Authorization', authorization]],
    body: JSON.stringify(alerts),
  };
}

/** How long an alert lasts from now on. */
const lastsMsOf = (status: Message['status']): number =>
  ({ firing: lastsMs, resolved: 0, test: testLastsMs })[status];

const instant = (ms: number): string => new Date(ms).toISOString();

/**
 * Encodes a message for a webhook, with the headers of Standard Webhooks. The signature covers id, time and body.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @param now milliseconds since 1970
 */
function encodeForWebhook(
  { url, secret }: WebhookConfig,
  [message]: readonly Message[],
  now: number,
): EncodedMessages {
  if (message === undefined) throw new Error('a webhook gets one message at a time');
  const { id } = message;
  const timestamp = `${Math.floor(now / 1000)}`;
  const body = JSON.stringify(payloadOf(message));
  return {
    path: `${url.pathname}${url.search}`,
    headers: [
      ['webhook-id', id],
      ['webhook-timestamp', timestamp],
      ['webhook-signature', seal`v1,${signatureOf(secret, `${id}.${timestamp}.${body}`)}`],
    ],
    body,
  };
}

const signatureOf = (secret: Secret, text: string): Secret =>
  secret.derive((key) => createHmac('sha256', key).update(text).digest('base64'));

const payloadOf = ({ id, status, alert, endsAt }: Message): object => ({
  id,
  status,
  startsAt: new Date(alert.startsAt),
  endsAt: endsAt === undefined ? undefined : new Date(endsAt),
  labels: alert.labels,
  annotations: alert.annotations,
  link: alert.link,
});
