import { type HttpProxy, type Proxies, proxiesOf } from '../contract/http/proxy.ts';
import { Secret, seal } from '../contract/secrets/secret.ts';
import { type Accepted, line, NotAccepted } from './accepted.ts';
import { type Setting, setting } from './setting.ts';
import type { Environment, SettingsReader } from './settings-reader.ts';

/** The address of an HTTP proxy. It may hold a password, so it is never quoted. */
const proxyAddress: Accepted<HttpProxy> = {
  words: 'the address of an HTTP proxy: http://host:port, or http://user:password@host:port',
  read(text) {
    const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    if (url?.protocol !== 'http:' || url.pathname !== '/' || /[?#]/.test(text))
      throw new NotAccepted('is not the address of an HTTP proxy');
    const { hostname: host, port, username, password } = url;
    const address = new Secret(url.href);
    const proxy = { host, port: port === '' ? 80 : Number(port), address };
    return username === '' && password === '' ? proxy : { ...proxy, ...credentialsOf(url) };
  },
};

function credentialsOf({ username, password }: URL): Pick<HttpProxy, 'authorization' | 'secrets'> {
  const pair = `${decoded(username)}:${decoded(password)}`;
  const basic = new Secret(pair).derive((text) => Buffer.from(text).toString('base64'));
  return { authorization: seal`Basic ${basic}`, secrets: [basic, new Secret(decoded(password))] };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new NotAccepted('has a user or a password with a wrong %-encoding');
  }
}

/** The settings of proxies, with the names that other programs use too. */
export const proxyTable = {
  httpsProxy: setting(
    'HTTPS_PROXY',
    'HTTP proxy for providers and brokers with https, through CONNECT',
    proxyAddress,
  ),
  httpProxy: setting('HTTP_PROXY', 'HTTP proxy for providers and brokers with http', proxyAddress),
  noProxy: setting(
    'NO_PROXY',
    'Hosts that are reached without a proxy, with all names below them: names or addresses, each with a :port if need be; * for all. This machine is always reached without one',
    line,
  ),
};

/** Proxy variables may be in lower case. Then they override those in upper case, as in curl and Node. */
export const withProxyNames = (env: Environment): Environment => ({
  ...env,
  ...Object.fromEntries(
    Object.values<Setting<unknown>>(proxyTable)
      .map(({ name }) => [name, env[name.toLowerCase()]])
      .filter(([, value]) => value !== undefined),
  ),
});

/** The configured proxies; undefined if none is set. */
export function proxiesFrom(reader: SettingsReader): Proxies | undefined {
  const { httpProxy, httpsProxy, noProxy } = proxyTable;
  const http = reader.optional(httpProxy);
  const https = reader.optional(httpsProxy);
  const direct = reader.optional(noProxy);
  return http === undefined && https === undefined ? undefined : proxiesOf({ http, https }, direct);
}
