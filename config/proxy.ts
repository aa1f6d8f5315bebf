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
    if (username === '' && password === '') return proxy;
    const pair = new Secret(`${decoded(username)}:${decoded(password)}`);
    const basic = pair.derive((given) => Buffer.from(given).toString('base64'));
    const secrets = [basic, new Secret(decoded(password))];
    return { ...proxy, authorization: seal`Basic ${basic}`, secrets };
  },
);

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Unaccepted('has a user or a password with a wrong %-encoding');
  }
}

/** The configured proxies; undefined if none is set. */
export function proxiesFrom(values: {
  readonly http: HttpProxy | undefined;
  readonly https: HttpProxy | undefined;
  readonly direct: string | undefined;
}): Proxies | undefined {
  const { http, https, direct } = values;
  return http === undefined && https === undefined ? undefined : proxiesOf({ http, https }, direct);
}
