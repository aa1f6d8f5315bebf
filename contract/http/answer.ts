import { isUtf8 } from 'node:buffer';
import type { Token } from '../secrets/secret.ts';

/** Seconds that each part of an exchange took, under blackbox_exporter's names; a part that did not happen took 0. */
export interface Phases {
  readonly resolve: number;
  readonly connect: number;
  readonly tls: number;
  readonly processing: number;
  readonly transfer: number;
}

/** What a TLS handshake showed, also when the certificate is not trusted. */
export interface TlsFacts {
  /** `TLSv1.3`. */
  readonly version: string;
  /** The earliest end of validity in the provider's certificate chain: milliseconds since 1970. */
  readonly earliestExpiry: number;
}

/** In the order in which they happen. */
export const phaseNames = [
  'resolve',
  'connect',
  'tls',
  'processing',
  'transfer',
] as const satisfies (keyof Phases)[];

export const isPhases = (value: unknown): value is Phases =>
  phaseNames.every((name) => numberIn(value, name) !== undefined);

/** The request as it may be shown: secrets are already `[secret]`. */
export interface RequestSummary {
  readonly line: string;
  /** The length of its address or of its longest header, whichever is greater: characters. */
  readonly longest?: number;
  /** The token that the request carried, and its age at the provider (milliseconds). */
  readonly token?: Token;
  readonly tokenAgeMs?: number;
  /** The id of its trace, where it has one. */
  readonly trace?: string;
  /** A command that sends it again. @param reason what is peculiar about it @returns one line without secrets */
  readonly curl?: (reason: string) => string;
}

/** A complete HTTP answer. Bodies are decompressed. */
export interface Answer {
  readonly request: RequestSummary;
  readonly status: number;
  readonly httpVersion: string;
  /** As received, in order, names in their own spelling. */
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Buffer;
  readonly phases: Phases;
  /** For https. */
  readonly tls?: TlsFacts;
}

/** The values of a header, joined as RFC 9110 5.3 says; undefined when it is absent. */
export function header(answer: Pick<Answer, 'headers'>, name: string): string | undefined {
  let joined: string | undefined;
  for (const [key, value] of answer.headers)
    if (key.length === name.length && key.toLowerCase() === name)
      joined = joined === undefined ? value : `${joined}, ${value}`;
  return joined;
}

/** The body as JSON, or the reason why it is not JSON. */
export type Json =
  | { readonly is: 'json'; readonly value: unknown }
  | { readonly is: 'not json'; readonly why: string };

/** A parsed body may need thirty times the memory of its text. For a large body it may be garbage-collected. */
const parsed = new WeakMap<Answer, Json | WeakRef<Json>>();
const largeBytes = 65_536;

/** Parses the body, once if possible. RFC 8259: UTF-8; a byte order mark may be ignored. */
export function jsonOf(answer: Answer): Json {
  const held = parsed.get(answer);
  const known = held instanceof WeakRef ? held.deref() : held;
  if (known !== undefined) return known;
  const json = parse(answer.body);
  parsed.set(answer, answer.body.length > largeBytes ? new WeakRef(json) : json);
  return json;
}

/**
 * Values nested deeper than this are left out. Code that walks a value is recursive and would overflow the stack.
 * No API nests so deeply.
 */
const deepest = 256;

function parse(body: Buffer): Json {
  if (body.length === 0) return { is: 'not json', why: 'empty' };
  if (!isUtf8(body)) return { is: 'not json', why: 'not UTF-8' };
  const text = body.toString();
  try {
    return { is: 'json', value: JSON.parse(withoutDeep(text.replace(/^\ufeff/, ''))) };
  } catch {
    return { is: 'not json', why: 'not JSON' };
  }
}

/** Whether a text has enough of a bracket for values that are too deep. It takes a tenth of the search below. */
function isFrequent(sign: string, text: string): boolean {
  let at = -1;
  for (let count = 0; count < deepest / 2; count++) {
    at = text.indexOf(sign, at + 1);
    if (at === -1) return false;
  }
  return true;
}

/** A JSON text in which the deepest lists and objects are empty. Brackets in strings do not count. */
function withoutDeep(text: string): string {
  if (![...'[{'].some((sign) => isFrequent(sign, text))) return text;
  let [open, isString, kept, from] = [0, false, 0, 0];
  const parts: string[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === quote) isString = !isString;
    else if (sign === backslash && isString) at += 1;
    else if (isString) continue;
    else if (sign === bracket || sign === brace) {
      open += 1;
      if (open === deepest) from = at + 1;
    } else if (sign === closingBracket || sign === closingBrace) {
      if (open === deepest) {
        parts.push(text.slice(kept, from));
        kept = at;
      }
      open -= 1;
    }
  }
  return parts.join('') + text.slice(kept);
}

const [quote, backslash] = [0x22, 0x5c];
const [bracket, brace, closingBracket, closingBrace] = [0x5b, 0x7b, 0x5d, 0x7d];

/** Whether an answer is to a HEAD request: then it has no body. */
export const isHead = ({ request }: Answer): boolean => request.line.startsWith('HEAD ');

/** The value of a JSON text; undefined when it is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every string in a JSON value, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** A property of a JSON value; undefined when the value is not an object or does not have it. */
export function field(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export const isNumber = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value);

/** A member that is a number. */
export function numberIn(value: unknown, name: string): number | undefined {
  const found = field(value, name);
  return isNumber(found) ? found : undefined;
}

/** A member that is a text. */
export function textIn(value: unknown, name: string): string | undefined {
  const found = field(value, name);
  return typeof found === 'string' ? found : undefined;
}

/** `401 application/json, 63 bytes`. */
export function outline(answer: Answer): string {
  const type = header(answer, 'content-type')?.split(';')[0]?.slice(0, 80);
  const size = answer.body.length === 1 ? '1 byte' : `${answer.body.length} bytes`;
  return `${answer.status} ${type === undefined ? '' : `${type}, `}${size}`;
}
