import { type PlaceholderContext, Placeholders } from './placeholders.ts';
import { encodesLength, type HttpRequest, octetsOf, sendable } from './request-encoding.ts';
import { isPlain, type Piece, printfOf, shellWord } from './shell-text.ts';

/** What a command needs besides its request. */
export interface CurlContext extends PlaceholderContext {
  readonly origin: URL;
  /** The provider's certificate is of a CA that only the settings name, in a file that this code does not know. */
  readonly hasPrivateCa: boolean;
  readonly scrub: (text: string) => string;
  /** The names of headers, in lower case, and whether there is a body, whose values only the endpoint's owner knows. */
  readonly own: { readonly headers: ReadonlySet<string>; readonly body: boolean };
}

/** Longer commands are not shown, because a cut command is a different command. */
const longest = 2000;

/**
 * A command that repeats a request: one line for a POSIX shell, with placeholders for secrets, and without the trace
 * of the original request. If that is not possible, a comment that says why.
 */
export function curlLine(request: HttpRequest, context: CurlContext): string {
  const placeholders = new Placeholders(context);
  const { before, words } = bodyOf(request, context, placeholders);
  const all = [
    'curl',
    ...optionsOf(request, context),
    ...trustOf(context, placeholders),
    ...targetOf(request, context, placeholders),
    ...headersOf(request, context, placeholders),
    ...words,
  ];
  const line = [...before, all.join(' ')].join(' | ');
  if (line.length > longest) return '# not shown: the command would be too long';
  const literals = placeholders.literals.join('\n');
  return context.scrub(literals) === literals ? line : notShown;
}

/** Replaces a command that happens to contain a secret. */
export const notShown = '# not shown: the command may hold a secret';

function optionsOf(request: HttpRequest, { origin }: CurlContext): string[] {
  const { method, version, headers } = request;
  const isHead = method === 'HEAD' && !hasData(request);
  return [
    isHead ? '-I' : '-i',
    ...(isHead || (method === 'GET' && !hasData(request)) ? [] : ['-X', shellWord([method])]),
    ...(version === '1.0' ? ['--http1.0'] : origin.protocol === 'https:' ? ['--http1.1'] : []),
    ...(headers.some(([name]) => /^accept-encoding$/i.test(name)) ? ['--compressed'] : []),
  ];
}

function trustOf({ origin, hasPrivateCa }: CurlContext, placeholders: Placeholders): string[] {
  if (!hasPrivateCa || origin.protocol !== 'https:') return [];
  return ['--cacert', shellWord([placeholders.described('CA_FILE', 'the file of the CA')])];
}

/** Whether curl must send a body, even an empty one, so that the length of the body is sent. */
const hasData = ({ method, body, chunked }: HttpRequest): boolean =>
  body !== undefined || chunked === true || encodesLength(method);

/** A path without anything that curl changes or drops: dot segments, fragments, brackets. */
const unchanged = /^\/(?!.*(?:\/|%2f)(?:\.|%2e){1,2}(?:[/?]|%2f|$))[\w./~%?=&+,:;@-]*$/i;

function targetOf(
  { path }: HttpRequest,
  { origin }: CurlContext,
  placeholders: Placeholders,
): string[] {
  const pieces = placeholders.pieces(path, sendable);
  const [first, ...more] = pieces;
  if (typeof first === 'string' && more.length === 0 && unchanged.test(first))
    return [shellWord([origin.origin + first])];
  return ['--request-target', shellWord(pieces), `${origin.origin}/`];
}

function headersOf(
  request: HttpRequest,
  { own, scrub, reason }: CurlContext,
  placeholders: Placeholders,
): string[] {
  const names = new Set(request.headers.map(([name]) => name.toLowerCase()));
  const usual = ['Accept', 'User-Agent', ...(hasData(request) ? ['Content-Type'] : [])];
  const lines = request.headers.map(([name, value]): Piece[] => {
    if (own.headers.has(name.toLowerCase()))
      return [`${name}: `, placeholders.described(variable(name), `${name} of this endpoint`)];
    // A made-up token may be long, or resemble a real one, as every JWT does. The reason says what it is.
    const isAlike = name === 'Authorization' && typeof value === 'string' && scrub(value) !== value;
    if (isAlike) return [`${name}: `, placeholders.described('AUTHORIZATION', reason)];
    const isUsual = typeof value === 'string' && usualNames.test(name);
    const pieces = isUsual
      ? [octetsOf(value, value)]
      : placeholders.pieces(value, (text) => octetsOf(text, value));
    const isEmpty = pieces.every((piece) => typeof piece === 'string' && piece.trim() === '');
    if (isEmpty) return [name === 'Host' ? 'Host:' : `${name};`];
    return [`${name}: `, ...pieces];
  });
  return [
    ...lines,
    ...usual.filter((name) => !names.has(name.toLowerCase())).map((name) => [`${name}:`]),
    ...(request.chunked === true ? [['Transfer-Encoding: chunked']] : []),
  ].flatMap((pieces) => ['-H', shellWord(pieces)]);
}

/** The values of these headers come from this suite, and hold no secret. */
const usualNames = /^(accept|accept-encoding|content-type|user-agent)$/i;

/** `X_TENANT` for `X-Tenant`. */
const variable = (name: string): string =>
  `H_${name}`
    .toUpperCase()
    .replace(/\W/g, '_')
    .replace(/^H_(?=[A-Z])/, '');

/** The words for the body, and a command that prints the body if a word cannot hold it. */
function bodyOf(
  request: HttpRequest,
  { own }: CurlContext,
  placeholders: Placeholders,
): { readonly before: readonly string[]; readonly words: readonly string[] } {
  if (!hasData(request)) return { before: [], words: [] };
  const { body = '' } = request;
  const pieces = own.body
    ? [placeholders.described('BODY', 'the body that is set for this endpoint')]
    : Buffer.isBuffer(body)
      ? placeholders.pieces(body.toString('latin1'))
      : placeholders.pieces(body, (text) => Buffer.from(text).toString('latin1'));
  if (pieces.every((piece) => typeof piece !== 'string' || isPlain(piece)))
    return { before: [], words: ['--data-raw', shellWord(pieces)] };
  return { before: [printfOf(pieces)], words: ['--data-binary', '@-'] };
}
