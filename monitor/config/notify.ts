import { fitsBearer } from '../../contract/http/http-request.ts';
import type { Proxies } from '../../contract/http/proxy.ts';
import { field, isObject } from '../../contract/json-value.ts';
import { type Secret, seal } from '../../contract/secrets/secret.ts';
import { brokerAddress, plainAddress } from '../../settings/accepted.ts';
import type { Path } from './complaints.ts';
import { type ConfigContext, certificatesIn, read } from './config-context.ts';
import { secretAt } from './credentials.ts';

/** Where alerts are posted: an Alertmanager, or any webhook that takes its form. */
export interface AlertReceiver {
  /** Its name for users: `Alertmanager at HOST`. The path of a webhook may be secret. */
  readonly title: string;
  readonly url: URL;
  /** The whole `Authorization` header. */
  readonly authorization?: Secret;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string;
  readonly proxies?: Proxies;
}

/** Reads `notify`, a list of receivers; those that are wrong are recorded and left out. */
export function receiversOf(value: unknown, around: ConfigContext): readonly AlertReceiver[] {
  return (Array.isArray(value) ? value : []).flatMap(
    (one, index) => receiverOf(one, ['notify', index], around) ?? [],
  );
}

function receiverOf(value: unknown, at: Path, around: ConfigContext): AlertReceiver | undefined {
  const { complaints, proxies } = around;
  if (!isObject(value)) return undefined;
  const isAlertmanager = field(value, 'alertmanager') !== undefined;
  if (isAlertmanager === (field(value, 'webhook') !== undefined))
    complaints.about(at, 'needs an address, either as alertmanager or as webhook');
  const token = secretAt('bearer', value, at, around, { isOptional: true });
  if (token !== undefined && !token.is(fitsBearer))
    complaints.about(at, 'has a bearer token with white space or a control character');
  const ca = certificatesIn(field(value, 'ca'), [...at, 'ca'], around);
  const url = isAlertmanager
    ? alertsOf(read(brokerAddress, field(value, 'alertmanager'), [...at, 'alertmanager'], around))
    : read(plainAddress, field(value, 'webhook'), [...at, 'webhook'], around);
  if (url === undefined) return undefined;
  const title = `${isAlertmanager ? 'Alertmanager' : 'webhook'} at ${url.host}`;
  return { title, url, ca, proxies, authorization: token && seal`Bearer ${token}` };
}

/** Where an Alertmanager takes alerts. @param base its address */
const alertsOf = (base: URL | undefined): URL | undefined =>
  base && new URL(`${base.href.replace(/\/$/, '')}/api/v2/alerts`);
