import { createHmac } from 'node:crypto';
import { type Secret, seal } from '../../contract/secrets/secret.ts';
import type { WebhookConfig } from '../config/notify.ts';
import type { EncodedMessages, Message } from './alert.ts';

/**
 * Encodes a message for a webhook, with the headers of Standard Webhooks. The signature covers id, time and body.
 * https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 * @param now milliseconds since 1970
 */
export function encodeForWebhook(
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
