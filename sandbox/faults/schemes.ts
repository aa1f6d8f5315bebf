import { alsoFrom, type Mutant } from './fault.ts';

/** A valid token is admitted under another scheme. */
export const schemeMutants: readonly Mutant[] = [
  {
    name: 'scheme-not-looked-at',
    means: 'Any scheme is accepted',
    make: () => ({
      presented: ({ headers }) => ({ token: headers.authorization?.split(' ').at(-1) ?? '' }),
    }),
  },
  {
    name: 'basic-is-fine-too',
    means: 'The scheme Basic is accepted',
    make: () => alsoFrom(({ headers }) => /^Basic (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'token-as-basic-password',
    means: 'A token is also taken from the password of Basic credentials',
    make: () =>
      alsoFrom(({ headers }) => {
        const [, basic = ''] = /^Basic (\S+)$/.exec(headers.authorization ?? '') ?? [];
        return Buffer.from(basic, 'base64').toString().split(':')[1];
      }),
  },
  {
    name: 'token-is-fine-too',
    means: 'The scheme Token is accepted',
    make: () => alsoFrom(({ headers }) => /^Token (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'jwt-is-fine-too',
    means: 'The scheme JWT is accepted',
    make: () => alsoFrom(({ headers }) => /^JWT (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'no-scheme-needed',
    means: 'The token alone is accepted',
    make: () => alsoFrom(({ headers }) => /^(\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'scheme-cut-off-by-length',
    means: 'The first seven characters are cut off, whatever they are',
    make: () => alsoFrom(({ headers }) => headers.authorization?.slice(7)),
  },
  {
    name: 'scheme-begins-right',
    means: 'A scheme that begins with Bear is accepted',
    make: () => alsoFrom(({ headers }) => /^Bear\w* (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
  {
    name: 'scheme-with-colon',
    means: 'Bearer: is accepted',
    make: () => alsoFrom(({ headers }) => /^Bearer: (\S+)$/.exec(headers.authorization ?? '')?.[1]),
  },
];
