import { basic } from '../../contract/http/client.ts';
import type { Proxies } from '../../contract/http/proxy.ts';
import { fitsBearer } from '../../contract/http/request-encoding.ts';
import { field, isObject } from '../../contract/json-value.ts';
import { type Secret, seal } from '../../contract/secrets/secret.ts';
import { brokerAddress, plainAddress } from '../../settings/accepted.ts';
import { longCredential, longCredentialFile } from '../../settings/files.ts';
import type { Path } from './complaints.ts';
import { type ConfigContext, certificatesIn, read } from './config-context.ts';
import { secretAt } from './credentials.ts';
import { secondsAt } from './duration.ts';
import { labelsOf } from './labels.ts';

/** The receivers of notifications, and what is sent to them. */
export interface NotifyConfig {
  /** Each differs from the others in kind or address. */
  readonly receivers: readonly [ReceiverConfig, ...ReceiverConfig[]];
  /** A violated clause must be free of violations for this time before its alert is resolved. */
  readonly resolveAfterMs: number;
  /** The address under which users reach this monitor, for links. */
  readonly page?: URL;
  readonly severities: Readonly<Record<'page' | 'ticket', string>>;
  /** Labels that are added to every alert. */
  readonly labels: Readonly<Record<string, string>>;
}

export type ReceiverConfig = AlertmanagerConfig | WebhookConfig;

interface Reached {
  readonly url: URL;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
  readonly proxies?: Proxies;
}

export interface AlertmanagerConfig extends Reached {
  readonly kind: 'alertmanager';
  /** The whole `Authorization` header. */
  readonly authorization?: Secret;
}

export interface WebhookConfig extends Reached {
  readonly kind: 'webhook';
  /** Signs each message. */
  readonly secret: Secret;
}

/** Reads `notify`. It is undefined if absent, and, with the mistakes recorded, if any part is wrong. */
export function notifyOf(value: unknown, around: ConfigContext): NotifyConfig | undefined {
  if (!isObject(value)) return undefined;
  const at = ['notify'];
  const { complaints } = around;
  const receivers = receiversOf(value, around);
  if (Object.keys(lists).every((list) => field(value, list) === undefined))
    complaints.missing([...at, 'webhooks'], 'is missing, and so is alertmanagers: name a receiver');
  const severities = field(value, 'severities');
  const resolveAfter = field(value, 'resolveAfter');
  const resolveAfterSeconds =
    secondsAt(resolveAfter, [...at, 'resolveAfter'], [0, 86_400], complaints) ?? 15 * 60;
  const named = (severity: string): string => {
    const name = field(severities, severity);
    return typeof name === 'string' ? name : severity;
  };
  const [first, ...others] = receivers;
  if (first === undefined) return undefined;
  return {
    receivers: [first, ...others],
    resolveAfterMs: resolveAfterSeconds * 1000,
    page: read(brokerAddress, field(value, 'page'), [...at, 'page'], around),
    severities: { page: named('page'), ticket: named('ticket') },
    labels: labelsOf(field(value, 'labels'), [...at, 'labels'], complaints),
  };
}

const lists = { alertmanagers: alertmanagerOf, webhooks: webhookOf } as const;

function receiversOf(value: unknown, around: ConfigContext): ReceiverConfig[] {
  return Object.entries(lists).flatMap(([list, receiverOf]) => {
    const items = field(value, list);
    const places = new Map<string, number>();
    return (Array.isArray(items) ? items : []).flatMap((one, index): ReceiverConfig[] => {
      const at = ['notify', list, index];
      const receiver = receiverOf(one, at, around);
      if (receiver === undefined) return [];
      const before = places.get(receiver.url.href);
      if (before !== undefined)
        around.complaints.about([...at, 'url'], `is that of ${list}[${before}] too`);
      places.set(receiver.url.href, index);
      return [{ ...receiver, proxies: around.proxies }];
    });
  });
}

function alertmanagerOf(
  value: unknown,
  at: Path,
  around: ConfigContext,
): AlertmanagerConfig | undefined {
  const url = read(brokerAddress, field(value, 'url'), [...at, 'url'], around);
  const authorization = authorizationOf(value, at, around);
  if (url === undefined) return undefined;
  const ca = certificatesIn(field(value, 'ca'), [...at, 'ca'], around);
  return { kind: 'alertmanager', url, ca, authorization };
}

function authorizationOf(value: unknown, at: Path, around: ConfigContext): Secret | undefined {
  const { complaints } = around;
  const token = secretAt('bearer', value, at, around, { isOptional: true });
  const user = field(value, 'username');
  const isBasic = typeof user === 'string';
  const password = secretAt('password', value, at, around, { isOptional: !isBasic });
  if (password !== undefined && !isBasic) complaints.missing([...at, 'username']);
  if (token !== undefined && isBasic)
    complaints.about(at, 'has both a bearer token and a username: keep one of them');
  if (token !== undefined && !token.is(fitsBearer))
    complaints.about(at, 'has a bearer token with white space or a control character');
  if (token !== undefined) return seal`Bearer ${token}`;
  if (!isBasic || password === undefined) return undefined;
  return basic(seal`${user}:${password}`);
}

function webhookOf(value: unknown, at: Path, around: ConfigContext): WebhookConfig | undefined {
  const url = read(plainAddress, field(value, 'url'), [...at, 'url'], around);
  const accepted = { inEnv: longCredential, inFile: longCredentialFile };
  const secret = secretAt('secret', value, at, around, { accepted });
  if (url === undefined || secret === undefined) return undefined;
  const ca = certificatesIn(field(value, 'ca'), [...at, 'ca'], around);
  return { kind: 'webhook', url, ca, secret };
}
