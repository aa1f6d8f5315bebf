import { orNothing } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** A guard bound to some methods misses HEAD and OPTIONS, which routers often send to the same handler. */
export const anotherMethodIsNoWayIn: Probe = {
  name: 'another-method-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const authorised = bearer(await service.issue(account));
    const straight = await service.call(endpoint, authorised);
    judge.admitted(straight, 'BEARER-1');
    const methods = endpoint.method === 'GET' ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
    for (const method of methods) {
      const both = await orNothing(
        Promise.all([
          service.call(endpoint, { ...authorised, method }),
          service.call(endpoint, { method }),
        ]),
      );
      if (both === undefined) continue;
      const [unlike, answer] = both;
      judge.shut(answer, 'BEARER-2', { unlike, straight, because: `the method is ${method}` });
    }
  },
};
