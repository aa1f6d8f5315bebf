import type { Connection } from '../../contract/http/connection.ts';
import { exchange } from '../../contract/http/transport.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { DeliveryError } from './delivery-error.ts';

/** More than any answer of a Pushgateway needs. */
const maxBodyBytes = 65_536;

/** The job, unless the address names a grouping key of its own. */
const ownJob = '/metrics/job/public_api_probe';

/**
 * Pushes the metrics of a target as a group of its own, which replaces the previous group: outdated metrics
 * disappear, and targets that are probed by another process, or at another time, stay.
 * https://github.com/prometheus/pushgateway#url
 * @param gateway its base address, or one that names a grouping key: `…/metrics/job/JOB/LABEL/VALUE`
 * @throws DeliveryError
 */
export async function push(
  gateway: URL,
  { target, text }: { readonly target: string; readonly text: string },
  bounds: Pick<Connection, 'timeoutMs' | 'ca' | 'proxies'>,
): Promise<void> {
  const path = `${groupOf(gateway)}/target/${encodeURIComponent(target)}`;
  const where = `PUT ${gateway.origin}${path}`;
  const received = await exchange(
    { origin: gateway, maxBodyBytes, ...bounds },
    {
      method: 'PUT',
      path,
      headers: [['Content-Type', 'text/plain; version=0.0.4; charset=utf-8']],
      body: text,
    },
    where,
  ).catch((error: unknown) => {
    if (error instanceof Unreachable)
      throw new DeliveryError(`--push: ${error.message}`, { cause: error });
    throw error;
  });
  const { status, body } = received;
  if (status < 200 || status > 299)
    throw new DeliveryError(`--push: ${where} is answered by ${status}${messageIn(body)}`);
}

function groupOf({ pathname }: URL): string {
  const path = pathname.replace(/\/+$/, '');
  return /\/metrics\/job(@base64)?\/[^/]/.test(path) ? path : `${path}${ownJob}`;
}

/** The first line of an error, which a Pushgateway sends as plain text. */
function messageIn(body: Buffer): string {
  const [line = ''] = body.toString().trim().split('\n');
  const shown = printable(line).slice(0, 200).toWellFormed();
  return shown === '' ? '' : `: ${shown}`;
}
