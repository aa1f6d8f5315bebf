import { isIP } from 'node:net';
import * as v from 'valibot';
import { prefix } from '../contract/http/request.ts';

/** The texts that a setting accepts, and the value of each. Its description says in words what it accepts. */
export type Accepted<Value> = v.GenericSchema<string, Value>;

/** A text that is not accepted. */
export class Unaccepted extends Error {
  readonly input: string | undefined;

  /** @param message follows a name: `is {text}` @param input what `{text}` stands for */
  constructor(message: string, input?: string) {
    super(message);
    this.name = 'Unaccepted';
    this.input = input;
  }
}

/** A text with its value; each mistake says in these words what is accepted. @param read may throw Unaccepted */
export const accepting = <Value>(
  words: string,
  read: Accepted<Value> | ((text: string) => Value),
): Accepted<Value> =>
  v.pipe(
    v.string(`is not ${words}`),
    v.rawTransform(({ dataset: { value: text }, addIssue, NEVER }) => {
      try {
        return typeof read === 'function' ? read(text) : v.parse(read, text, firstMistake);
      } catch (error) {
        const mistake = error instanceof v.ValiError ? error.issues[0] : error;
        if (mistake === error && !(error instanceof Unaccepted)) throw error;
        const { message, input } = mistake;
        addIssue({
          message: `${message}; accepted: ${words}`,
          input: message === firstMistake.message ? text : input,
        });
        return NEVER;
      }
    }),
    v.description(words),
  );

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

export const trueOrFalse: Accepted<boolean> = accepting(
  'true or false',
  v.pipe(
    v.picklist(['true', 'false']),
    v.transform((text) => text === 'true'),
  ),
);

export const dummyTokens: Accepted<'replace' | 'keep'> = accepting(
  'replace or keep',
  v.picklist(['replace', 'keep']),
);

/** Credentials in an address are refused: they would be shown, but not sent. */
function hasCredentials(text: string): boolean {
  const { username, password } = new URL(text);
  return username !== '' || password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text);
}

const address = v.pipe(
  v.string(),
  v.check((text) => /^https?:\/\//i.test(text) && URL.canParse(text)),
  v.check((text) => !hasCredentials(text), 'holds a user name or a password'),
);

const toUrl = v.transform((text: string) => new URL(text));

export const plainAddress: Accepted<URL> = accepting(
  'an http or https address, without user name, password and fragment',
  v.pipe(address, v.excludes('#', 'has a fragment'), toUrl),
);

const bareAddress = v.pipe(address, v.regex(/^[^?#]*$/, 'has a query or a fragment'));

export const brokerAddress: Accepted<URL> = accepting(
  'an http or https address, optionally with a path; no user name, password, query or fragment',
  v.pipe(bareAddress, toUrl),
);

/** The address of a provider. The API's paths begin with the version prefix below it. */
export const baseAddress: Accepted<URL> = accepting(
  `an http or https address, optionally with a path; ${prefix} comes below it; no user name, password, query or fragment`,
  v.pipe(
    bareAddress,
    v.check(
      (text) => !`${new URL(text).pathname}/`.includes(prefix),
      `already holds ${prefix}, which is added to it: {text}`,
    ),
    toUrl,
  ),
);

const singleLine = v.pipe(
  v.string(),
  v.regex(/^\P{Cc}*$/u, 'has a line break or a control character'),
);

export const line: Accepted<string> = accepting('a single line of text', singleLine);

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
    if (number < 1 || number > of || of > mostShards) throw new Unaccepted('is {text}', text);
    return { number, of };
  },
);
