import type { Secret } from '../secrets/secret.ts';

/** An HTTP proxy (RFC 9110 3.7). */
export interface HttpProxy {
  /** A name or an address, IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  /** Its address with its credentials: `http://user:password@proxy.example:3128`. */
  readonly address: Secret;
  /** The value of `Proxy-Authorization`. */
  readonly authorization?: Secret;
  /** The parts of it that must not be shown. */
  readonly secrets?: readonly Secret[];
}

/** The proxy of the requests to a provider; undefined when they go there directly. */
export type Proxies = (origin: URL) => HttpProxy | undefined;

/**
 * Proxies as the variables of the environment name them. This machine is always reached directly.
 * @param noProxy names and addresses that are reached directly
 */
export function proxiesOf(
  { http, https }: { readonly http?: HttpProxy; readonly https?: HttpProxy },
  noProxy = '',
): Proxies {
  const direct = `localhost 127.0.0.1 [::1] ${noProxy.toLowerCase()}`.match(/[^\s,]+/g) ?? [];
  return (origin) => {
    const proxy = origin.protocol === 'https:' ? https : http;
    return direct.some((entry) => matches(entry, origin)) ? undefined : proxy;
  };
}

/** Whether an entry of NO_PROXY is a name or one above it, or an address, each with its port or for all; or `*`. */
function matches(entry: string, { hostname, port, protocol }: URL): boolean {
  const host = hostname.replace(/\.$/, '');
  const name = entry.replace(/^\*?\./, '');
  const usualPort = protocol === 'https:' ? 443 : 80;
  const names = [host, withoutBrackets(host), `${host}:${port || usualPort}`];
  return entry === '*' || names.some((text) => `.${text}`.endsWith(`.${name}`));
}

/** A host as node:net expects it. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');
