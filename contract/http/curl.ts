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
  /** The names of headers, in lower case, and whether there is a body, whose values only the endpoint's owner knows. */
  readonly own: { readonly headers: ReadonlySet<string>; readonly body: boolean };
  readonly scrub: (text: string) => string;
}

/** Longer commands are not shown, because a cut command is a different command. */
const longest = 2000;

/**
 * A command that repeats a plain request: one line for a POSIX shell, with variables for secrets, and without the
 * trace of the original request. Undefined for any other request, such as one with an altered token, with a secret
 * at another place, or with what curl would change.
 */
export function curlLine(request: HttpRequest, context: CurlContext): string | undefined {
  const { method, path, version, chunked } = request;
  if (version !== undefined || chunked === true || !/^[A-Z]+$/.test(method)) return undefined;
  if (typeof path !== 'string' || !unchanged.test(path)) return undefined;
  const words = [
    ...optionsOf(request, context),
    literal(context.origin.origin + path, context),
    ...headersOf(request, context),
    ...bodyOf(request, context),
  ];
  const line = ['curl', ...words].join(' ');
  return words.includes(undefined) || line.length > longest ? undefined : line;
}

/** A path without anything that curl changes or drops: dot segments, fragments, brackets. */
const unchanged = /^\/(?!.*(?:\/|%2f)(?:\.|%2e){1,2}(?:[/?]|%2f|$))[\w./~%?=&+,:;@-]*$/i;

function optionsOf(request: HttpRequest, { origin, hasPrivateCa }: CurlContext): string[] {
  const { method, headers } = request;
  const isUsual = !hasData(request) && /^(GET|HEAD)$/.test(method);
  const isHttps = origin.protocol === 'https:';
  return [
    isUsual && method === 'HEAD' ? '-I' : '-i',
    ...(isUsual ? [] : ['-X', method]),
    ...(isHttps ? ['--http1.1'] : []),
    ...(headers.some(([name]) => /^accept-encoding$/i.test(name)) ? ['--compressed'] : []),
    ...(isHttps && hasPrivateCa ? ['--cacert', variable('CA_FILE', 'the file of the CA')] : []),
  ];
}

/** Whether curl must send a body, even an empty one, so that the length of the body is sent. */
const hasData = ({ method, body }: HttpRequest): boolean =>
  body !== undefined || encodesLength(method);

function headersOf(request: HttpRequest, context: CurlContext): (string | undefined)[] {
  const { headers } = request;
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  // Without these lines curl sends headers of its own.
  const removed = ['Accept', 'User-Agent', ...(hasData(request) ? ['Content-Type'] : [])]
    .filter((name) => !names.has(name.toLowerCase()))
    .map((name) => `${name}:`);
  return [...headers.map(([name, value]) => headerOf(name, value, context)), ...removed].flatMap(
    (line) => ['-H', line],
  );
}

function headerOf(name: string, value: string | Secret, context: CurlContext): string | undefined {
  const { own, token } = context;
  if (own.headers.has(name.toLowerCase()))
    return /^[a-z][\w-]*$/i.test(name)
      ? `"${name}: "${variable(name.toUpperCase().replaceAll('-', '_'), `${name} of this endpoint`)}`
      : undefined;
  if (name === 'Authorization')
    return token !== undefined && value instanceof Secret && value.equals(seal`Bearer ${token}`)
      ? '"Authorization: Bearer $TOKEN"'
      : undefined;
  return typeof value === 'string' && value !== ''
    ? literal(`${name}: ${value}`, context)
    : undefined;
}

/** The body: the endpoint's own, the credentials as the contract has them, or a short text. */
function bodyOf(request: HttpRequest, context: CurlContext): (string | undefined)[] {
  if (!hasData(request)) return [];
  const { body = '' } = request;
  const { apiKey, secretKey } = context.account;
  const credentials = seal`{"apiKey":"${apiKey}","secretKey":"${secretKey}"}`;
  if (context.own.body) return ['--data-raw', variable('BODY', 'the body of this endpoint')];
  if (body instanceof Secret && body.equals(credentials))
    return ['--data-raw', String.raw`"{\"apiKey\":\"$API_KEY\",\"secretKey\":\"$SECRET_KEY\"}"`];
  return ['--data-raw', typeof body === 'string' ? literal(body, context) : undefined];
}

/** A text as one word; undefined if it holds a secret by chance, or what not every shell and terminal keeps. */
const literal = (text: string, { scrub }: CurlContext): string | undefined =>
  /^[\x20-\x7e]*$/.test(text) && scrub(text) === text ? quotedWord(text) : undefined;

/** A variable as one word. While it is not set, the shell says what it must hold, and sends nothing. */
const variable = (name: string, content: string): string => `"\${${name}:?${content}}"`;
