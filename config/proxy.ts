import { type HttpProxy, type Proxies, proxiesOf } from '../contract/http/proxy.ts';
import { Secret, seal } from '../contract/secrets/secret.ts';
import { type Accepted, accepting, Unaccepted } from './accepted.ts';

/** The address of an HTTP proxy. It may hold a password, so it is never quoted. */
export const proxyAddress: Accepted<HttpProxy> = accepting(
  'the address of an HTTP proxy: http://host:port, or http://user:password@host:port',
  (text) => {
    const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
    if (url?.protocol !== 'http:' || url.pathname !== '/' || /[?#]/.test(text))
      throw new Unaccepted('is not the address of an HTTP proxy');
    const { hostname: host, port, username, password } = url;
    const address = new Secret(url.href);
    const proxy = { host, port: port === '' ? 80 : Number(port), address };
    return username === '' && password === '' ? proxy : { ...proxy, ...credentialsOf(url) };
  },
);

function credentialsOf({ username, password }: URL): Pick<HttpProxy, 'authorization' | 'secrets'> {
  const pair = `${decoded(username)}:${decoded(password)}`;
  const basic = new Secret(pair).derive((text) => Buffer.from(text).toString('base64'));
  return { authorization: seal`Basic ${basic}`, secrets: [basic, new Secret(decoded(password))] };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Unaccepted('has a user or a password with a wrong %-encoding');
  }
}

/** The configured proxies; undefined if none is set. */
export function proxiesFrom(values: {
  readonly HTTP_PROXY?: HttpProxy | undefined;
  readonly HTTPS_PROXY?: HttpProxy | undefined;
  readonly NO_PROXY?: string | undefined;
}): Proxies | undefined {
  const { HTTP_PROXY: http, HTTPS_PROXY: https, NO_PROXY: direct } = values;
  return http === undefined && https === undefined ? undefined : proxiesOf({ http, https }, direct);
}
