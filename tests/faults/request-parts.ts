import type { Call } from '../../sandbox/behaviour.ts';

export const headerOf = ({ headers }: Call, name: string): string | undefined =>
  headers[name]?.toString();

/** Whether a request has this header with such a value. */
export const has =
  (name: string, value = /./) =>
  ({ headers }: Call): boolean =>
    value.test(String(headers[name] ?? ''));

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
