import { type Mutant, refusal, refusedAs } from './fault.ts';

/** The body of a 401 is not the error envelope. */
export const envelopeMutants: readonly Mutant[] = [
  {
    name: 'refusal-without-body',
    means: 'The 401 has no body',
    make: () => ({ unauthorised: () => ({ status: 401 }) }),
  },
  {
    name: 'refusal-as-page',
    means: 'The 401 is a page of the framework',
    make: () => ({
      unauthorised: () => ({
        status: 401,
        body: '<!doctype html><h1>Unauthorized</h1>',
        headers: { 'Content-Type': 'text/html' },
      }),
    }),
  },
  {
    name: 'refusal-as-text',
    means: 'The 401 is the word Unauthorized',
    make: () => ({ unauthorised: () => ({ status: 401, body: 'Unauthorized' }) }),
  },
  {
    name: 'refusal-cut',
    means: 'The JSON of the 401 ends before its end',
    make: () => ({
      unauthorised: () => ({ status: 401, body: JSON.stringify(refusal).slice(0, -1) }),
    }),
  },
  {
    name: 'refusal-not-utf8',
    means: 'The 401 holds bytes that are not UTF-8',
    make: () => ({
      unauthorised: () => ({
        status: 401,
        body: Buffer.concat([
          Buffer.from('{"success":false,"hint":"\\u00e9'),
          Buffer.from([0xff, 0xfe]),
          Buffer.from(`","message":"${refusal.message}"}`),
        ]),
      }),
    }),
  },
  {
    name: 'refusal-in-array',
    means: 'The 401 is an array around the envelope',
    make: () => refusedAs({ json: [refusal] }),
  },
  {
    name: 'refusal-wrapped',
    means: 'The envelope of the 401 is inside a further object',
    make: () => refusedAs({ json: { error: refusal } }),
  },
  {
    name: 'refusal-success-text',
    means: 'success is the text "false", which is true for a client that only checks its presence',
    make: () => refusedAs({ json: { ...refusal, success: 'false' } }),
  },
  {
    name: 'refusal-success-zero',
    means: 'success of the 401 is 0',
    make: () => refusedAs({ json: { ...refusal, success: 0 } }),
  },
  {
    name: 'refusal-success-true',
    means: 'success of the 401 is true',
    make: () => refusedAs({ json: { ...refusal, success: true } }),
  },
  {
    name: 'refusal-success-absent',
    means: 'The 401 does not say success',
    make: () => refusedAs({ json: { message: refusal.message } }),
  },
  {
    name: 'refusal-message-absent',
    means: 'The 401 has no message',
    make: () => refusedAs({ json: { success: false } }),
  },
  {
    name: 'refusal-message-null',
    means: 'The message of the 401 is null',
    make: () => refusedAs({ json: { success: false, message: null } }),
  },
  {
    name: 'refusal-message-array',
    means: 'The message of the 401 is an array of one text',
    make: () => refusedAs({ json: { success: false, message: [refusal.message] } }),
  },
];
