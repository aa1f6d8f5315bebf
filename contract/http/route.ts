import type { Connection } from './connection.ts';
import { credentialsFor, type HttpProxy, portOf, withoutBrackets } from './proxy.ts';
import type { HttpRequest } from './request-encoding.ts';
import { Tunnel } from './tunnel.ts';

/** How a request gets to the provider. */
export interface Route {
  /** Where the connection leads. */
  readonly address:
    | { readonly host: string; readonly port: number }
    | { readonly socketPath: string };
  /** The name that is looked up for it; undefined for a socket file and for a tunnel. */
  readonly resolves?: string;
  /** The request and the proxy, as errors name them. */
  readonly where: string;
  /** A tunnel through a proxy, to a provider that uses TLS. */
  readonly tunnel?: Tunnel;
  /** A proxy that forwards plain HTTP, and so may answer instead of the provider. */
  readonly forwards?: HttpProxy;
}

/** @param where names the request in errors */
export function routeTo(connection: Connection, where: string): Route {
  const { origin, socketPath, proxies } = connection;
  if (socketPath !== undefined) return { address: { socketPath }, where };
  const direct = { host: withoutBrackets(origin.hostname), port: portOf(origin) };
  const proxy = proxies?.for(origin);
  if (proxy === undefined) return { address: direct, resolves: origin.hostname, where };
  const { host, port } = proxy;
  const through = `${where} through the proxy ${host}:${port}`;
  if (origin.protocol === 'https:')
    return { address: direct, where: through, tunnel: new Tunnel(proxy, connection) };
  const address = { host: withoutBrackets(host), port };
  return { address, resolves: host, where: through, forwards: proxy };
}

/** A request for a proxy that forwards it: in absolute-form (RFC 9112 3.2.2), with the proxy's credentials. */
export function forwarded(request: HttpRequest, { origin }: URL, proxy: HttpProxy): HttpRequest {
  const absolute = (path: string): string => (path.startsWith('/') ? origin + path : path);
  const { path, headers } = request;
  return {
    ...request,
    path: typeof path === 'string' ? absolute(path) : path.derive(absolute),
    headers: [...headers, ...credentialsFor(proxy)],
  };
}
