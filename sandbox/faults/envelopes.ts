import { fault, type Mutant, refusal, refusedAs } from './fault.ts';

/** The body of a 401 is not the error envelope. */
export const envelopeMutants: readonly Mutant[] = [
  fault('refusal-without-body', 'The 401 has no body', () => ({
    unauthorised: () => ({ status: 401 }),
  })),
  fault('refusal-as-page', 'The 401 is a page of the framework', () => ({
    unauthorised: () => ({
      status: 401,
      body: '<!doctype html><h1>Unauthorized</h1>',
      headers: { 'Content-Type': 'text/html' },
    }),
  })),
  fault('refusal-as-text', 'The 401 is the word Unauthorized', () => ({
    unauthorised: () => ({ status: 401, body: 'Unauthorized' }),
  })),
  fault('refusal-cut', 'The JSON of the 401 ends before its end', () => ({
    unauthorised: () => ({ status: 401, body: JSON.stringify(refusal).slice(0, -1) }),
  })),
  fault('refusal-not-utf8', 'The 401 holds bytes that are not UTF-8', () => ({
    unauthorised: () => ({
      status: 401,
      body: Buffer.concat([
        Buffer.from('{"success":false,"hint":"\\u00e9'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(`","message":"${refusal.message}"}`),
      ]),
    }),
  })),
  fault('refusal-in-array', 'The 401 is an array around the envelope', () =>
    refusedAs({ json: [refusal] }),
  ),
  fault('refusal-wrapped', 'The envelope of the 401 is inside a further object', () =>
    refusedAs({ json: { error: refusal } }),
  ),
  fault(
    'refusal-success-text',
    'success is the text "false", which is true for a client that only checks its presence',
    () => refusedAs({ json: { ...refusal, success: 'false' } }),
  ),
  fault('refusal-success-zero', 'success of the 401 is 0', () =>
    refusedAs({ json: { ...refusal, success: 0 } }),
  ),
  fault('refusal-success-true', 'success of the 401 is true', () =>
    refusedAs({ json: { ...refusal, success: true } }),
  ),
  fault('refusal-success-absent', 'The 401 does not say success', () =>
    refusedAs({ json: { message: refusal.message } }),
  ),
  fault('refusal-message-absent', 'The 401 has no message', () =>
    refusedAs({ json: { success: false } }),
  ),
  fault('refusal-message-null', 'The message of the 401 is null', () =>
    refusedAs({ json: { success: false, message: null } }),
  ),
  fault('refusal-message-array', 'The message of the 401 is an array of one text', () =>
    refusedAs({ json: { success: false, message: [refusal.message] } }),
  ),
];
