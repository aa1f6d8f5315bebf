import { type Bypass, refusesBypasses } from '../contract/attacks/bypass.ts';
import { methodHeaders, methodParameters } from '../contract/attacks/guesses.ts';
import { guessing, headers, otherMethods, parameters } from '../contract/attacks/path-variants.ts';
import type { Body, CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * A guard for some methods misses others, which routers often send to the same handler. A header, a parameter or
 * a field may override the method for the guard or the router alone.
 */
export const anotherMethodIsNoWayIn: Probe = {
  name: 'another-method-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 3600,
  anyToken: true,
  async run(world) {
    const own = world.endpoint.method;
    const other = own === 'POST' ? 'GET' : 'POST';
    await refusesBypasses(world, [
      ...otherMethods(own).map((method) => ({
        reason: `the method is ${method}`,
        options: () => ({ method }),
      })),
      ...['OPTIONS', 'HEAD', other].map((named) => overridden(named)),
      ...['OPTIONS', other].map((method) => overridden(own, method)),
      ...inBody(own === 'POST' ? 'OPTIONS' : own),
    ]);
  },
};

/** One method is sent, by default the endpoint's own, and every known name overrides it with another. */
const overridden = (named: string, method?: string): Bypass =>
  guessing([...headers(methodHeaders, named), ...parameters(methodParameters, `=${named}`)], {
    reason: `the method is ${method ?? 'its own'}, and the request has`,
    ...preflight(named),
    ...(method === undefined ? {} : { options: () => ({ method }) }),
  });

/** HTML forms can only send POST, and name the intended method. */
const inBody = (named: string): Bypass[] => {
  const form = { type: 'application/x-www-form-urlencoded', text: `_method=${named}` };
  return [form, { json: { _method: named } }].map((body: Body) => ({
    reason: `the method is POST, and the body says _method ${named}`,
    ...preflight(named),
    options: (): CallOptions => ({ method: 'POST', body }),
  }));
};

/** OPTIONS and HEAD may be answered without a body. */
const preflight = (method: string): Pick<Bypass, 'preflight'> =>
  method === 'OPTIONS' || method === 'HEAD' ? { preflight: true } : {};
