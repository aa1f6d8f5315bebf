import { hash } from 'node:crypto';
import { header } from '../../contract/http/answer.ts';
import { exchange } from '../../contract/http/transport.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { count } from '../../contract/report/words.ts';
import type { ReceiverConfig } from '../config/notify.ts';
import type { Message } from './alert.ts';
import { encodeForAlertmanager } from './alertmanager.ts';
import { encodeForWebhook } from './webhook.ts';

/** The result of an attempt to deliver messages: no problem, or one line that describes it. */
export interface Attempt {
  readonly problem?: string;
  /** Whether only these messages were refused: the receiver may accept others. */
  readonly isRefused?: boolean;
}

/** A destination of messages. */
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

const bounds = { timeoutMs: 10_000, maxBodyBytes: 65_536 };

const minuteMs = 60_000;

/** Much less than the duration for which an alert fires. */
const mostSkewMs = 2 * minuteMs;

/** An Alertmanager waits before it reports an alert, and does not report one that ends sooner. */
const alertmanager = { most: 100, spacingMs: minuteMs, repeatMs: minuteMs };

/** @param send a network instead of the real one */
export function receiverOf(config: ReceiverConfig, send: typeof exchange = exchange): Receiver {
  const { kind, url, ca } = config;
  const isAlertmanager = config.kind === 'alertmanager';
  const title = `${isAlertmanager ? 'Alertmanager' : 'webhook'} at ${url.host}`;
  const connection = { ...bounds, origin: url, ca };
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
  const aheadMs = Date.parse(date ?? '') - now;
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
