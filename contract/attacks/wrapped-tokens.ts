import { inBase64, type Secret } from '../secrets/secret.ts';
import { type Forgery, hasTwoCases, lettersOf } from '../token-form.ts';

/*
 * A token with signs that careless code cuts off, removes or decodes: Laravel cuts a list off at its first comma. The
 * decoders of base64 in Node, PHP, Python and Ruby skip signs that are not theirs, and Node's decoder of hex stops
 * there. The contract leaves the form of a token open (OPEN-4), so a service may use them: it then accepts any such
 * sign, of which `likewise` has another.
 */

/** A sign of RFC 6750's `b64token` that belongs to no encoding, and that no one removes. */
const otherSign = '~';

const withMore = (sign: string) => (text: string) =>
  text + sign + lettersOf(text).slice(0, 4).padEnd(4, 'a');

const between = (before: string, after: string) => (text: string) => before + text + after;

const inMiddle = (sign: string) => (text: string) => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + sign + text.slice(middle);
};

/** A token that has a percent sign may itself be percent-encoded. It is left as it is. */
const percentEncoded = (text: string): string =>
  text.includes('%')
    ? text
    : text.replace(/^[!-~]/, (sign) => `%${Buffer.from(sign).toString('hex').toUpperCase()}`);

/** Decoders of hex may ignore everything after another sign, and those of base64 everything after the padding. */
const mayEndEarly = (text: string): boolean => !hasTwoCases(text) || text.endsWith('=');

/** The token with signs around or in it, and in other encodings. */
export function wrapped(token: Secret): Forgery[] {
  const more = token.is(mayEndEarly) ? token.derive(withMore(otherSign)) : undefined;
  const around = token.derive(between(otherSign, otherSign));
  const inside = token.disguise(inMiddle(otherSign));
  const wrap = (how: string, change: (text: string) => string, likewise?: Secret): Forgery => ({
    how,
    secret: token.disguise(change),
    odd: true,
    likewise,
  });
  return [
    wrap('followed by a comma and more', withMore(','), more),
    wrap('followed by a semicolon and more', withMore(';'), more),
    wrap('in quotes', between('"', '"'), around),
    wrap('in angle brackets', between('<', '>'), around),
    wrap('with a zero-width space in its middle', inMiddle('\u200b'), inside),
    wrap('percent-encoded in its first character', percentEncoded),
    { how: 'in base64', secret: inBase64(token), odd: true },
  ];
}

/**
 * The token with another hyphen. What reads UUIDs or Crockford's base32 ignores hyphens, so a token of one case has no
 * such form.
 */
export function hyphenated(token: Secret): Forgery[] {
  if (!token.is(hasTwoCases)) return [];
  const secret = token.disguise(inMiddle('-'));
  const likewise = token.disguise(inMiddle(otherSign));
  return [{ how: 'with a hyphen in its middle', secret, likewise }];
}

/** A letter or digit in the middle replaced. */
const replacedBy = (sign: string) => (text: string) => {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + text.slice(middle).replace(/[A-Za-z0-9]/, sign);
};

/**
 * The token with other hyphens and underscores. In base64url both signs count, and in a LIKE of SQL an underscore fits
 * any character. Number and names of the forgeries do not depend on the signs that a token has by chance.
 */
export function exchanged(token: Secret): Forgery[] {
  const underscore = {
    how: 'with an underscore for its middle character',
    secret: token.disguise(replacedBy('_')),
  };
  const others = { how: 'with other hyphens and underscores', secret: token.disguise(swapped) };
  return token.is(hasTwoCases) ? [underscore, others] : [underscore];
}

/** Every hyphen and underscore exchanged; a token without any gets a hyphen. */
const swapped = (text: string): string =>
  /[-_]/.test(text)
    ? text.replace(/[-_]/g, (sign) => (sign === '-' ? '_' : '-'))
    : replacedBy('-')(text);
