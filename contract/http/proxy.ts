import type { Secret } from '../secrets/secret.ts';

/** An HTTP proxy (RFC 9110 3.7). */
export interface HttpProxy {
  /** A name or an address, IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  /** Its address with its credentials: `http://user:password@proxy.example:3128`. */
  readonly address: Secret;
  /** The parts of it that must not be shown. */
  readonly secrets?: readonly Secret[];
}

/** The proxy of the requests to a provider; undefined when they go there directly. */
export type Proxies = (origin: URL) => HttpProxy | undefined;

/**
 * The proxy of all providers with https, except on this machine; undefined without a proxy.
 * @param noProxy names and addresses that are reached directly, as the environment variable lists them
 */
export function selectProxies(proxy?: HttpProxy, noProxy = ''): Proxies | undefined {
  if (proxy === undefined) return undefined;
  const direct = `localhost 127.0.0.1 [::1] ${noProxy.toLowerCase()}`.match(/[^\s,]+/g) ?? [];
  return (origin) =>
    origin.protocol === 'http:' || direct.some((entry) => matches(entry, origin))
      ? undefined
      : proxy;
}

/** Whether an entry of NO_PROXY is a name or one above it, or an address, each with its port or for all; or `*`. */
function matches(entry: string, { hostname, port }: URL): boolean {
  const name = entry.replace(/^\*?\./, '');
  const names = [hostname, `${hostname}:${port || 443}`];
  return entry === '*' || names.some((text) => `.${text}`.endsWith(`.${name}`));
}
