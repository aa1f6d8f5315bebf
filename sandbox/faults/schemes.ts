import { alsoFrom, fault, type Mutant } from './fault.ts';

/** A valid token is admitted under another scheme. */
export const schemeMutants: readonly Mutant[] = [
  fault('scheme-not-looked-at', 'Any scheme is accepted', () => ({
    presented: ({ headers }) => ({ token: headers.authorization?.split(' ').at(-1) ?? '' }),
  })),
  fault('basic-is-fine-too', 'The scheme Basic is accepted', () =>
    alsoFrom(({ headers }) => /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  ),
  fault(
    'token-as-basic-password',
    'A token is also taken from the password of Basic credentials',
    () =>
      alsoFrom(({ headers }) => {
        const [, basic = ''] = /^Basic (\S+)$/.exec(headers.authorization ?? '') ?? [];
        return Buffer.from(basic, 'base64').toString().split(':')[1];
      }),
  ),
  fault('token-is-fine-too', 'The scheme Token is accepted', () =>
    alsoFrom(({ headers }) => /^Token (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  ),
  fault('jwt-is-fine-too', 'The scheme JWT is accepted', () =>
    alsoFrom(({ headers }) => /^JWT (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  ),
  fault('no-scheme-needed', 'The token alone is accepted', () =>
    alsoFrom(({ headers }) => /^(\S+)$/.exec(headers.authorization ?? '')?.[1]),
  ),
  fault(
    'scheme-cut-off-by-length',
    'The first seven characters are cut off, whatever they are',
    () => alsoFrom(({ headers }) => headers.authorization?.slice(7)),
  ),
  fault('scheme-begins-right', 'A scheme that begins with Bear is accepted', () =>
    alsoFrom(({ headers }) => /^Bear\w* (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  ),
  fault('scheme-with-colon', 'Bearer: is accepted', () =>
    alsoFrom(({ headers }) => /^Bearer: (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  ),
];
