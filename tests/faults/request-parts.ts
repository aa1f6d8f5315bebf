import type { Call } from '../../sandbox/behaviour.ts';

export const headerOf = ({ headers }: Call, name: string): string | undefined =>
  headers[name]?.toString();

/** Whether a request has this header with such a value. */
export const has =
  (name: string, value = /./) =>
  ({ headers }: Call): boolean =>
    value.test(String(headers[name] ?? ''));

/** Cookies by name, with `%20` and the like decoded. */
export const cookieOf = ({ headers }: Call, name: string): string | undefined =>
  headers.cookie
    ?.split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
    .replaceAll('%20', ' ');

export const isHttp10 = ({ httpVersion }: Call): boolean => httpVersion === '1.0';

/** What a pattern captures in the Authorization header. */
export const inAuthorization =
  (pattern: RegExp) =>
  ({ headers }: Call): string | undefined =>
    pattern.exec(headers.authorization ?? '')?.[1];

/** The text after the scheme Bearer; empty if it is missing. */
export const behindScheme = (text: string | null | undefined): string | undefined =>
  /^Bearer (\S+)$/.exec(text ?? '')?.[1];

/** User and password of Basic credentials. */
export function basicOf(text: string | undefined): readonly string[] {
  const [, encoded = ''] = /^Basic (\S+)$/.exec(text ?? '') ?? [];
  return Buffer.from(encoded, 'base64').toString().split(/:(.*)/s);
}

/** A member of a JSON body, by its path. */
export function memberOf({ body }: Call, ...names: readonly string[]): string | undefined {
  try {
    const found: unknown = names.reduce<unknown>(
      (value, name) => (value as Record<string, unknown>)[name],
      JSON.parse(body),
    );
    return typeof found === 'string' ? found : undefined;
  } catch {
    return undefined;
  }
}

export const subprotocols = (call: Call): readonly string[] =>
  headerOf(call, 'sec-websocket-protocol')?.split(', ') ?? [];

/** The word after another one in the list of subprotocols. */
export const subprotocolBehind = (call: Call, word: string): string | undefined => {
  const [first, second] = subprotocols(call);
  return first === word ? second : undefined;
};

export const isUpgrade = (call: Call): boolean => headerOf(call, 'upgrade') === 'websocket';

/** The text decoded, if possible. */
export const decodedBy =
  (decode: (text: string) => unknown) =>
  (text: string): string => {
    try {
      return String(decode(text));
    } catch {
      return text;
    }
  };
