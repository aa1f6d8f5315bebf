import { isIP } from 'node:net';
import { prefix } from '../contract/http/request.ts';

/** A text that a setting does not accept, and the mistake in it. */
export class NotAccepted extends Error {
  /** The part of the text that may be shown after secrets were removed from it. */
  readonly quoted?: string;

  /** @param found the words after the setting's name: `is`, `has an unknown method in` */
  constructor(found: string, quoted?: string) {
    super(found);
    this.name = 'NotAccepted';
    if (quoted !== undefined) this.quoted = quoted;
  }
}

/** The values that a setting accepts: in words, and a function that reads them. */
export interface Accepted<Value> {
  readonly words: string;
  /** @param text trimmed and not empty @throws NotAccepted */
  read(text: string): Value;
}

/** A whole number in a range, limits included. */
export const whole = (unit: string, least: number, most: number): Accepted<number> =>
  number(/^\d{1,15}$/, `a whole number${unit}, ${least} to ${most}`, least, most);

/** A number in a range, limits included; written with digits and a point, never as 1e3 or 0x10. */
export const decimal = (unit: string, least: number, most: number): Accepted<number> =>
  number(/^\d{1,15}(\.\d{1,15})?$/, `a number${unit}, ${least} to ${most}`, least, most);

function number(form: RegExp, words: string, least: number, most: number): Accepted<number> {
  return {
    words,
    read(text) {
      const value = Number(text);
      if (!form.test(text) || value < least || value > most) throw new NotAccepted('is', text);
      return value;
    },
  };
}

const oneOf = <const Word extends string>(...words: readonly Word[]): Accepted<Word> => ({
  words: words.join(' or '),
  read(text) {
    const found = words.find((word) => word === text);
    if (found === undefined) throw new NotAccepted('is', text);
    return found;
  },
});

const eitherWay = oneOf('true', 'false');

export const trueOrFalse: Accepted<boolean> = {
  words: eitherWay.words,
  read: (text) => eitherWay.read(text) === 'true',
};

/** The address of a provider. The API's paths begin with the version prefix below it. */
export const baseAddress: Accepted<URL> = {
  words: `an http or https address, optionally with a path; ${prefix} comes below it; no user name, password, query or fragment`,
  read(text) {
    const url = brokerAddress.read(text);
    if (`${url.pathname}/`.includes(prefix))
      throw new NotAccepted(`already holds ${prefix}, which is added to it:`, text);
    return url;
  },
};

export const plainAddress: Accepted<URL> = {
  words: 'an http or https address, without user name, password and fragment',
  read(text) {
    const url = address(text);
    if (text.includes('#')) throw new NotAccepted('has a fragment');
    return url;
  },
};

export const brokerAddress: Accepted<URL> = {
  words:
    'an http or https address, optionally with a path; no user name, password, query or fragment',
  read(text) {
    const url = address(text);
    if (/[?#]/.test(text)) throw new NotAccepted('has a query or a fragment');
    return url;
  },
};

export const line: Accepted<string> = {
  words: 'a single line of text',
  read(text) {
    if (/\p{Cc}/u.test(text)) throw new NotAccepted('has a line break or a control character');
    return text;
  },
};

/** Where the operators of a provider may write to. */
export const contact: Accepted<string> = {
  words: 'an address or a mail address, in one line of at most 200 characters',
  read(text) {
    if ([...line.read(text)].length > 200) throw new NotAccepted('has more than 200 characters');
    return text;
  },
};

/** An http or https address. Credentials in it are refused: they would be shown, but not sent. */
function address(text: string): URL {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text)) throw new NotAccepted('is', text);
  if (url.username !== '' || url.password !== '' || /^[^/]*\/\/[^/?#]*@/.test(text))
    throw new NotAccepted('holds a user name or a password');
  return url;
}

/** The host on which a server listens. */
export const host: Accepted<string> = {
  words: 'a host name or an IP address, without scheme and port',
  read(text) {
    const label = '[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?';
    const name = new RegExp(`^${label}(\\.${label})*$`, 'i');
    if (isIP(text) === 0 && (!name.test(text) || /^[\d.]+$/.test(text)))
      throw new NotAccepted('is', text);
    return text;
  },
};
