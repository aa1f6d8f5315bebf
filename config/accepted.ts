import { isIP } from 'node:net';
import * as v from 'valibot';
import { fitsHeader } from '../contract/http/http-request.ts';
import { prefix } from '../contract/http/request.ts';
import { isObject, parsedJson } from '../contract/json-value.ts';
import { Secret } from '../contract/secrets/secret.ts';

/** The texts that a setting accepts, and the value of each. Its description says in words what it accepts. */
export type Accepted<Value> = v.GenericSchema<string, Value>;

/** A value is not accepted. The message follows its name; in it `{text}` stands for the value, or for the `cause`. */
export class Unaccepted extends Error {}

/** A step of a schema. @param read may throw Unaccepted */
export const reading = <Input, Output>(read: (input: Input) => Output) =>
  v.rawTransform<Input, Output>(({ dataset: { value }, addIssue, NEVER }) => {
    try {
      return read(value);
    } catch (error) {
      if (!(error instanceof Unaccepted)) throw error;
      addIssue({ message: error.message, input: error.cause ?? value });
      return NEVER;
    }
  });

/** A text with its value; each mistake says in these words what is accepted. @param read may throw Unaccepted */
export function accepting<Value>(
  words: string,
  read: Accepted<Value> | ((text: string) => Value),
): Accepted<Value> {
  const schema = typeof read === 'function' ? v.pipe(v.string(), reading(read)) : read;
  return v.pipe(
    v.string(`is not ${words}`),
    reading((text) => {
      const { success, output, issues } = v.safeParse(schema, text, firstMistake);
      if (success) return output;
      const [{ message, input }] = issues;
      const cause = message === firstMistake.message ? text : input;
      throw new Unaccepted(`${message}; accepted: ${words}`, { cause });
    }),
    v.description(words),
  );
}

const firstMistake = { abortPipeEarly: true, message: 'is {text}' };

export const wordsOf = (accepted: Accepted<unknown>): string => v.getDescription(accepted) ?? '';

/** A whole number in a range, limits included. */
export const whole = (unit: string, least: number, most: number): Accepted<number> =>
  number(/^\d{1,15}$/, `a whole number${unit}, ${least} to ${most}`, least, most);

/** A number in a range, limits included; written with digits and a point, never as 1e3 or 0x10. */
export const decimal = (unit: string, least: number, most: number): Accepted<number> =>
  number(/^\d{1,15}(\.\d{1,15})?$/, `a number${unit}, ${least} to ${most}`, least, most);

const number = (form: RegExp, words: string, least: number, most: number): Accepted<number> =>
  accepting(
    words,
    v.pipe(v.string(), v.regex(form), v.transform(Number), v.minValue(least), v.maxValue(most)),
  );

/** One of two words. */
export const either = <const Word extends string>(one: Word, other: Word): Accepted<Word> =>
  accepting(`${one} or ${other}`, v.picklist([one, other]));

/** Credentials in an address are refused: they would be shown, but not sent. */
function addressOf(text: string, refused = /[?#]/, why = 'has a query or a fragment'): URL {
  const url = /^https?:\/\//i.test(text) ? URL.parse(text) : null;
  if (url === null) throw new Unaccepted('is {text}');
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    throw new Unaccepted('holds a user name or a password');
  if (refused.test(text)) throw new Unaccepted(why);
  return url;
}

export const plainAddress: Accepted<URL> = accepting(
  'an http or https address, without user name, password and fragment',
  (text) => addressOf(text, /#/, 'has a fragment'),
);

export const brokerAddress: Accepted<URL> = accepting(
  'an http or https address, optionally with a path; no user name, password, query or fragment',
  (text) => addressOf(text),
);

/** The address of a provider. The API's paths begin with the version prefix below it. */
export const baseAddress: Accepted<URL> = accepting(
  `an http or https address, optionally with a path; ${prefix} comes below it; no user name, password, query or fragment`,
  (text) => {
    const url = addressOf(text);
    if (!`${url.pathname}/`.includes(prefix)) return url;
    throw new Unaccepted(`already holds ${prefix}, which is added to it: {text}`);
  },
);

const singleLine = v.pipe(
  v.string(),
  v.regex(/^\P{Cc}*$/u, 'has a line break or a control character'),
);

export const line: Accepted<string> = accepting('a single line of text', singleLine);

/** Headers that a gateway needs of every request. Their values may be secret. */
export const requestHeaders: Accepted<readonly (readonly [string, Secret])[]> = accepting(
  'a JSON object of header names and texts, without Authorization',
  (text) => {
    const given = parsedJson(text);
    const fits = ([name, value]: readonly [string, unknown]): boolean =>
      /^(?!authorization$)[\w!#$%&'*+.^`|~-]+$/i.test(name) &&
      typeof value === 'string' &&
      fitsHeader(value);
    if (!isObject(given) || !Object.entries(given).every(fits)) throw new Unaccepted('is none');
    return Object.entries(given).map(([name, value]) => [name, new Secret(String(value))]);
  },
);

/** Where the operators of a provider may write to. */
export const contact: Accepted<string> = accepting(
  'an address or a mail address, in one line of at most 200 characters',
  v.pipe(singleLine, v.maxLength(200, 'has more than 200 characters')),
);

/** The host on which a server listens. */
export const host: Accepted<string> = accepting(
  'a host name or an IP address, without scheme and port',
  v.pipe(
    v.string(),
    v.check((text) => isIP(text) > 0 || /^(?![\d.]+$)[a-z\d.-]{1,253}$/i.test(text)),
  ),
);

/** One of several monitors that divide the targets of one file. */
export interface Shard {
  /** Counted from 1. */
  readonly number: number;
  readonly of: number;
}

/** A shard holds thousands of targets, so more shards are a mistake. */
const mostShards = 100;

export const shard: Accepted<Shard> = accepting(
  `index and total of the shards, such as 2/5: two whole numbers, the first from 1 up to the second, which is at most ${mostShards}`,
  (text) => {
    const [number = 0, of = 0] = /^\d{1,3}\/\d{1,3}$/.test(text) ? text.split('/').map(Number) : [];
    if (number < 1 || number > of || of > mostShards) throw new Unaccepted('is {text}');
    return { number, of };
  },
);
