import { type Account, Secret, seal, type Token } from '../secrets/secret.ts';
import type { Connection } from './connections.ts';
import { encodesLength, type HttpRequest } from './http-request.ts';
import { type Call, ownValue } from './request.ts';

/** A path without anything that curl changes or drops: dot segments, fragments, brackets. */
const unchanged = /^\/(?!.*(?:\/|%2f)(?:\.|%2e){1,2}(?:[/?]|%2f|$))[\w./~%?=&+,:;@-]*$/i;

/**
 * A command of at most 2,000 characters that repeats a plain request, with variables for secrets and for values of the
 * endpoint. Undefined for any other request, such as one with a secret elsewhere, or with what curl would change.
 * @param token the token of the call, if the provider issued it
 */
export function curlLine(
  { method, path, headers, body }: HttpRequest,
  { version, chunked, without = [], hasOwnBody }: Call,
  { origin, ca, client }: Connection,
  { apiKey, secretKey }: Account,
  token?: Token,
): string | undefined {
  const isUsual = version === undefined && chunked !== true && /^[A-Z]+$/.test(method);
  if (!isUsual || without.length > 0 || !unchanged.test(`${path}`)) return undefined;
  const field = ([name, value]: HttpRequest['headers'][number]): string | undefined => {
    if (`${value}` === ownValue) return quotedWord(`${name}: `) + variable(name);
    if (name !== 'Authorization') return value === '' ? undefined : literal(value, `${name}: `);
    const isToken = token && value instanceof Secret && value.equals(seal`Bearer ${token.secret}`);
    return isToken ? '"Authorization: Bearer $TOKEN"' : undefined;
  };
  const credentials = seal`{"apiKey":"${apiKey}","secretKey":"${secretKey}"}`;
  const data =
    body instanceof Secret && body.equals(credentials)
      ? String.raw`"{\"apiKey\":\"$API_KEY\",\"secretKey\":\"$SECRET_KEY\"}"`
      : literal(body ?? '');
  // curl must send a body, even an empty one, so that its length is sent.
  const hasData = body !== undefined || encodesLength(method);
  // Without this curl sends a type of its own.
  const lacksType = hasData && !headers.some(([name]) => name.toLowerCase() === 'content-type');
  const words = [
    method === 'HEAD' ? 'curl -I' : 'curl -i',
    hasData || !/^(GET|HEAD)$/.test(method) ? `-X ${method}` : '',
    origin.protocol === 'https:' ? '--http1.1' : '',
    '--compressed',
    ca ? `--cacert ${variable('CA_FILE')}` : '',
    client ? `--cert ${variable('CLIENT_CERT_FILE')} --key ${variable('CLIENT_KEY_FILE')}` : '',
    literal(`${origin.origin}${path}`),
    ...headers.filter(([name]) => name !== 'traceparent').flatMap((one) => ['-H', field(one)]),
    lacksType ? '-H Content-Type:' : '',
    ...(hasData ? ['--data-raw', hasOwnBody ? variable('BODY') : data] : []),
  ];
  const line = words.filter((word) => word !== '').join(' ');
  return words.includes(undefined) || line.length > 2000 ? undefined : line;
}

/** A text as one word; undefined for other values, and for texts that not every shell and terminal keeps. */
const literal = (value: unknown, before = ''): string | undefined =>
  typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)
    ? quotedWord(before + value)
    : undefined;

/** A variable as one word. While it is not set, the shell names it, and sends nothing. */
const variable = (name: string): string => `"\${${name.toUpperCase().replaceAll(/\W/g, '_')}:?}"`;

/** A text as one word of a POSIX shell's command, unchanged between its quotes. */
export const quotedWord = (text: string): string =>
  /^[\w./:=@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
