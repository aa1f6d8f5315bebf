import { type Behaviour, type Call, type Reply, right } from '../behaviour.ts';

type Cause = Parameters<Behaviour['unauthorised']>[0];

/** Refuses some requests differently. */
export const refusingAs = (
  reply: Reply,
  when: (call: Call, cause: Cause) => boolean,
): Pick<Behaviour, 'unauthorised'> => ({
  unauthorised: (cause, call, state) =>
    when(call, cause) ? reply : right.unauthorised(cause, call, state),
});

/** Refuses requests differently that are unauthorised for this reason. */
export const refusingFor = (of: Cause, reply: Reply): Pick<Behaviour, 'unauthorised'> =>
  refusingAs(reply, (_call, cause) => cause === of);

/** Another endpoint than the first one refuses differently. */
export const secondEndpointRefusingAs = (reply: Reply): Pick<Behaviour, 'unauthorised'> =>
  refusingAs(reply, ({ path }) => path.endsWith('/reports'));

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
