import type { AlertmanagerConfig } from '../config/notify.ts';
import type { EncodedMessages, Message } from './alert.ts';

/** How long an alert fires if it is not sent again. */
const lastsMs = 300_000;

/** How long a test alert fires. */
const testLastsMs = 60_000;

/**
 * Encodes alerts for `POST /api/v2/alerts`.
 * https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml
 * @param now milliseconds since 1970
 */
export function encodeForAlertmanager(
  { url, authorization }: AlertmanagerConfig,
  messages: readonly Message[],
  now: number,
): EncodedMessages {
  const alerts = messages.map(({ status, alert, endsAt }) => ({
    labels: alert.labels,
    annotations: alert.annotations,
    startsAt: instant(alert.startsAt),
    endsAt: instant(endsAt ?? now + (status === 'test' ? testLastsMs : lastsMs)),
    generatorURL: alert.link,
  }));
  return {
    path: `${url.pathname.replace(/\/$/, '')}/api/v2/alerts`,
    headers: authorization === undefined ? [] : [['Authorization', authorization]],
    body: JSON.stringify(alerts),
  };
}

const instant = (ms: number): string => new Date(ms).toISOString();
