import net from 'node:net';
import type { Secret } from '../secrets/secret.ts';
import type { Answer } from './answer.ts';

/** An HTTP proxy (RFC 9110 3.7). */
export interface HttpProxy {
  /** A name or an address, IPv6 in brackets. */
  readonly host: string;
  readonly port: number;
  /** Its address as a text, with its credentials, for other programs. */
  readonly address?: Secret;
  /** The value of `Proxy-Authorization`. */
  readonly authorization?: Secret;
  /** The parts of it that must not be shown. */
  readonly secrets?: readonly Secret[];
}

/** The header with the credentials of a proxy, if it requires any. */
export const credentialsFor = ({ authorization }: HttpProxy): [string, Secret][] =>
  authorization === undefined ? [] : [['Proxy-Authorization', authorization]];

/** Which requests go through a proxy. */
export interface Proxies {
  /** @param origin of the provider @returns undefined when its requests go there directly */
  for(origin: URL): HttpProxy | undefined;
}

/**
 * Proxies as the variables of the environment name them: one for each scheme of a provider.
 * @param noProxy names and addresses that are reached directly
 */
export function proxiesOf(
  { http, https }: { readonly http?: HttpProxy; readonly https?: HttpProxy },
  noProxy = '',
): Proxies {
  const entries = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '');
  const direct = entries.filter((entry) => entry !== evenLoopback).map(directTo);
  const isDirect = (origin: URL): boolean =>
    direct.some((matches) => matches(origin)) ||
    (!entries.includes(evenLoopback) && isLoopback(hostOf(origin)));
  return {
    for(origin) {
      const proxy = origin.protocol === 'https:' ? https : http;
      return proxy === undefined || isDirect(origin) ? undefined : proxy;
    },
  };
}

/** In NO_PROXY: requests to this machine go through the proxy too. Chromium uses the same text. */
const evenLoopback = '<-loopback>';

const hostOf = ({ hostname }: URL): string => withoutBrackets(hostname).replace(/\.$/, '');

/** A host as node:net expects it. */
export const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

const isLoopback = (host: string): boolean =>
  /(^|\.)localhost$/.test(host) || inRange('127.0.0.0/8', host) || inRange('::1/128', host);

/**
 * What an entry of NO_PROXY matches, as in curl: a name and all names below it, an address, a range of addresses, each
 * with a port or for all of them; `*` is everything.
 */
function directTo(entry: string): (origin: URL) => boolean {
  if (entry === '*') return () => true;
  if (entry.includes('/')) return (origin) => inRange(entry, hostOf(origin));
  const [, bracketed, plain = '', port] = /^(?:\[(.*)\]|(.*?))(?::(\d+))?$/.exec(entry) ?? [];
  const name = net.isIP(entry) === 0 ? (bracketed ?? plain.replace(/^\*?\.|\.$/g, '')) : entry;
  return (origin) => {
    const host = hostOf(origin);
    if (port !== undefined && net.isIP(entry) === 0 && port !== String(portOf(origin)))
      return false;
    return host === name || (net.isIP(host) === 0 && host.endsWith(`.${name}`));
  };
}

/** @param range such as `10.0.0.0/8` */
function inRange(range: string, host: string): boolean {
  const [address = '', bits = ''] = range.split('/');
  const family = net.isIP(address);
  const other = net.isIP(host);
  const most = family === 6 ? 128 : 32;
  if (family === 0 || other === 0 || !/^\d+$/.test(bits) || Number(bits) > most) return false;
  const list = new net.BlockList();
  list.addSubnet(address, Number(bits), family === 6 ? 'ipv6' : 'ipv4');
  return list.check(host, other === 6 ? 'ipv6' : 'ipv4');
}

export const portOf = ({ port, protocol }: URL): number =>
  port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);

/**
 * Whether the answer comes from the proxy: one that forwards plain HTTP answers instead of the provider when it
 * cannot reach it. A 407 and the statuses of gateways count as the proxy's own, and so do answers that declare it: by
 * RFC 9209, as Squid does, or as tinyproxy does.
 */
export const isOfTheProxy = ({ status, headers }: Pick<Answer, 'status' | 'headers'>): boolean =>
  [407, 502, 503, 504].includes(status) ||
  (status >= 400 &&
    headers.some(
      ([name, value]) =>
        /^x-squid-error$/i.test(name) ||
        (/^proxy-status$/i.test(name) && /;\s*error=/.test(value)) ||
        (/^server$/i.test(name) && value.startsWith('tinyproxy/')),
    ));

/** Why a proxy does not forward a request, for an error message. */
export const refusedWith = (status: number): string =>
  status === 407
    ? 'the proxy requires other credentials: it answers 407'
    : `the proxy does not forward it: it answers ${status}`;
