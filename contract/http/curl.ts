import { type Account, Secret, seal } from '../secrets/secret.ts';
import { encodesLength, type HttpRequest } from './http-request.ts';
import { quotedWord } from './shell-text.ts';

/** What a command needs besides its request. */
export interface CurlContext {
  readonly origin: URL;
  /** The provider's certificate is of a CA that only the settings name, in a file that this code does not know. */
  readonly hasPrivateCa: boolean;
  readonly account: Account;
  /** The token of the request, if the provider issued it. */
  readonly token: Secret | undefined;
  /** The names of headers, and whether there is a body, whose values only the endpoint's owner knows. */
  readonly own: { readonly headers: readonly string[]; readonly hasBody: boolean };
}

/** Longer commands are not shown, because a cut command is a different command. */
const longest = 2000;

/** A path without anything that curl changes or drops: dot segments, fragments, brackets. */
const unchanged = /^\/(?!.*(?:\/|%2f)(?:\.|%2e){1,2}(?:[/?]|%2f|$))[\w./~%?=&+,:;@-]*$/i;

/**
 * A command that repeats a plain request: one line for a POSIX shell, with variables for secrets, and without the
 * trace of the original request. Undefined for any other request, such as one with an altered token, with a secret
 * at another place, or with what curl would change.
 */
export function curlLine(request: HttpRequest, context: CurlContext): string | undefined {
  const { method, path, headers, body, version, chunked } = request;
  if (version !== undefined || chunked === true || !/^[A-Z]+$/.test(method)) return undefined;
  if (typeof path !== 'string' || !unchanged.test(path)) return undefined;
  const { origin, hasPrivateCa } = context;
  const isHttps = origin.protocol === 'https:';
  // curl must send a body, even an empty one, so that the length of the body is sent.
  const hasData = body !== undefined || encodesLength(method);
  const names = headers.map(([name]) => name.toLowerCase());
  // Without these lines curl sends headers of its own.
  const removed = ['Accept', 'User-Agent', ...(hasData ? ['Content-Type'] : [])]
    .filter((name) => !names.includes(name.toLowerCase()))
    .map((name) => `${name}:`);
  const words = [
    'curl',
    method === 'HEAD' && !hasData ? '-I' : '-i',
    ...(hasData || !/^(GET|HEAD)$/.test(method) ? ['-X', method] : []),
    ...(isHttps ? ['--http1.1'] : []),
    ...(names.includes('accept-encoding') ? ['--compressed'] : []),
    ...(isHttps && hasPrivateCa ? ['--cacert', variable('CA_FILE', 'the file of the CA')] : []),
    literal(origin.origin + path),
    ...headers.flatMap(([name, value]) => ['-H', headerWord(name, value, context)]),
    ...removed.flatMap((line) => ['-H', line]),
    ...(hasData ? ['--data-raw', bodyWord(body ?? '', context)] : []),
  ];
  const line = words.join(' ');
  return words.includes(undefined) || line.length > longest ? undefined : line;
}

function headerWord(name: string, value: string | Secret, context: CurlContext) {
  const { own, token } = context;
  if (own.headers.includes(name))
    return /^[a-z][\w-]*$/i.test(name)
      ? `"${name}: "${variable(name.toUpperCase().replaceAll('-', '_'), `${name} of this endpoint`)}`
      : undefined;
  if (name !== 'Authorization')
    return typeof value === 'string' && value !== '' ? literal(`${name}: ${value}`) : undefined;
  const isToken = token && value instanceof Secret && value.equals(seal`Bearer ${token}`);
  return isToken ? '"Authorization: Bearer $TOKEN"' : undefined;
}

/** The body: the endpoint's own, the credentials as the contract has them, or a short text. */
function bodyWord(body: string | Secret | Buffer, context: CurlContext): string | undefined {
  const { apiKey, secretKey } = context.account;
  const credentials = seal`{"apiKey":"${apiKey}","secretKey":"${secretKey}"}`;
  if (context.own.hasBody) return variable('BODY', 'the body of this endpoint');
  if (body instanceof Secret && body.equals(credentials))
    return String.raw`"{\"apiKey\":\"$API_KEY\",\"secretKey\":\"$SECRET_KEY\"}"`;
  return typeof body === 'string' ? literal(body) : undefined;
}

/** A text as one word; undefined if not every shell and terminal keeps it. */
const literal = (text: string): string | undefined =>
  /^[\x20-\x7e]*$/.test(text) ? quotedWord(text) : undefined;

/** A variable as one word. While it is not set, the shell says what it must hold, and sends nothing. */
const variable = (name: string, content: string): string => `"\${${name}:?${content}}"`;
