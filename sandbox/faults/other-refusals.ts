import type { Behaviour, Call, Reply } from '../behaviour.ts';

/** Refuses some requests differently. */
export const refusingAs = (
  right: Behaviour,
  reply: Reply,
  when: (call: Call) => boolean,
): Pick<Behaviour, 'unauthorised'> => ({
  unauthorised: (cause, call, state) =>
    when(call) ? reply : right.unauthorised(cause, call, state),
});

/** A login page. */
export const page: Reply = {
  status: 401,
  body: '<!doctype html><h1>Please sign in</h1>',
  headers: { 'Content-Type': 'text/html' },
};

/** An envelope with a message of its own. */
export const saying = (message: string): Reply => ({
  status: 401,
  json: { success: false, message },
});
