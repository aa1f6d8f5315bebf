import { isUtf8 } from 'node:buffer';
import type { DetailedPeerCertificate } from 'node:tls';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { parsedJson, textsIn, withoutDeep } from '../json-value.ts';
import { printable } from '../secrets/printable.ts';
import { Secret, type Token } from '../secrets/secret.ts';
import { UnreachableError } from './unreachable.ts';

/** The parts of an exchange under blackbox_exporter's names, in their order. */
export const phaseNames = ['resolve', 'connect', 'tls', 'processing', 'transfer'] as const;

/** Seconds that each part took; one that did not happen took 0. */
export type Phases = Readonly<Record<(typeof phaseNames)[number], number>>;

/** A complete HTTP answer as it is received. Its body is decompressed. */
export interface Received {
  readonly status: number;
  /** As received, in order, names in their own spelling. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly phases: Phases;
  /** With those of its chain; absent if the connection was open before, or is not encrypted. */
  readonly certificate?: DetailedPeerCertificate;
}

export interface Answer extends Received {
  /** As it may be shown: secrets are already `[secret]`. */
  readonly request: {
    readonly line: string;
    /** How long its address is, or its longest header: characters. */
    readonly longestLine?: number;
    /** The token that the request carried, and its age at the provider (milliseconds). */
    readonly token?: Token;
    readonly tokenAgeMs?: number;
    /** The id of its trace, where it has one. */
    readonly trace?: string;
    /** A command that sends it again: one line without secrets; undefined if it is not a plain request. */
    readonly curl?: () => string | undefined;
    readonly words?: () => string;
  };
}

const valuesOf = ({ headers }: Pick<Answer, 'headers'>, name: string): string[] =>
  headers.flatMap(([key, value]) => (key.toLowerCase() === name ? value : []));

/** The values of a header, joined as RFC 9110 5.3 says; undefined when it is absent. */
export function header(answer: Pick<Answer, 'headers'>, name: string): string | undefined {
  const values = valuesOf(answer, name);
  return values.length === 0 ? undefined : values.join(', ');
}

/** A date of a header (RFC 9110 5.6.7), in milliseconds since 1970. */
export const httpDate = (value = ''): number | undefined =>
  /^[A-Z][a-z]+, .*(GMT|[+-]\d{4})$/.test(value) ? Date.parse(value) || undefined : undefined;

/** The cookies that an answer sets, as a client sends them back (RFC 6265 4.2); undefined if it sets none. */
export function readCookies(answer: Pick<Answer, 'headers'>): Secret | undefined {
  const pairs = valuesOf(answer, 'set-cookie').map((value) => value.split(';')[0] ?? '');
  return pairs.length === 0 ? undefined : new Secret(pairs.join('; '), '[secret]', 'itself');
}

/** The body as JSON, or why it is not JSON. */
interface Json {
  readonly value?: unknown;
  readonly why?: string;
}

const parsed = new WeakMap<Pick<Answer, 'body'>, Json>();

/** Parses the body, once. RFC 8259: UTF-8; a byte order mark may be ignored. */
export function readJson(answer: Pick<Answer, 'body'>): Json {
  const json = parsed.get(answer) ?? parse(answer.body);
  parsed.set(answer, json);
  return json;
}

function parse(body: Buffer): Json {
  if (body.length === 0) return { why: 'empty' };
  if (!isUtf8(body)) return { why: 'not UTF-8' };
  try {
    return { value: withoutDeep(JSON.parse(`${body}`.replace(/^\ufeff/, ''))) };
  } catch {
    return { why: 'not JSON' };
  }
}

/** Whether an answer is to a HEAD request: then it has no body. */
export const isHead = ({ request }: Answer): boolean => request.line.startsWith('HEAD ');

/** `401 application/json, 63 bytes`. */
export function outline(answer: Answer): string {
  const type = header(answer, 'content-type')?.split(';')[0]?.slice(0, 80);
  const size = answer.body.length === 1 ? '1 byte' : `${answer.body.length} bytes`;
  return `${answer.status} ${type === undefined ? '' : `${type}, `}${size}`;
}

/** What an answer says, without secrets: `423 Account locked.` */
export function quoteAnswer({ status, request }: Answer): string {
  const words = request.words?.() ?? '';
  return words.startsWith(`${status}`) ? words : `${status} ${words}`.trim();
}

/**
 * What an answer says, as one short line: where it redirects to, the title of its page, or the texts of a refusal. A
 * success may hold a token under any name.
 */
export function readWords(answer: Received, scrub: (text: string) => string): string {
  const location = header(answer, 'location')?.split(/[?#]/, 1)[0];
  const body = answer.body.toString();
  const page = /<title\b[^>]*>[^<]*/i.exec(body)?.[0] ?? (answer.status < 400 ? '' : body);
  const text = scrub(location === undefined ? page : `redirects to ${location}`).slice(0, 10_000);
  const json = parsedJson(text);
  const texts =
    json === undefined
      ? text.replace(/<(script|style)\b.*?<\/\1>|<[^>]*>/gis, ' ')
      : textsIn(json).join(' ');
  return printable(texts.replace(/\s+/g, ' ').trim().slice(0, 120));
}

/** The content codings (RFC 9110 8.4.1) that the client accepts. */
export const acceptEncoding = 'gzip, deflate, br';

const decoders = new Map([
  ['gzip', promisify(zlib.gunzip)],
  ['deflate', promisify(zlib.inflate)],
  ['br', promisify(zlib.brotliDecompress)],
]);

/**
 * An empty body has nothing to decompress. An unknown coding on plain text is ignored, as all clients do.
 * @throws UnreachableError `protocol` when the coding is unknown; also errors of node:zlib, which `toUnreachable` knows
 */
export async function decode(
  body: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
  where: string,
): Promise<Buffer> {
  const coding = contentEncoding?.trim().toLowerCase() ?? 'identity';
  if (body.length === 0 || coding === 'identity') return body;
  const decoder = decoders.get(coding);
  if (decoder !== undefined) return decoder(body, { maxOutputLength: maxBytes });
  if (isUtf8(body)) return body;
  const name = /^[a-z0-9-]{1,20}$/.test(coding) ? coding : 'unknown';
  throw new UnreachableError('protocol', where, `its Content-Encoding is ${name}`);
}
