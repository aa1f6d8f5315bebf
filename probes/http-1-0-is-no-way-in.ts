import { orNothing } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/** Old clients and some proxies speak HTTP/1.0; a guard in front may let them pass for a check of its own. */
export const http10IsNoWayIn: Probe = {
  name: 'http-1-0-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const authorised = bearer(await service.issue(account));
    const straight = await service.call(endpoint, authorised);
    judge.admitted(straight, 'BEARER-1');
    const both = await orNothing(
      Promise.all([
        service.call(endpoint, { ...authorised, version: '1.0' }),
        service.call(endpoint, { version: '1.0' }),
      ]),
    );
    if (both === undefined) return;
    const [unlike, answer] = both;
    judge.shut(answer, 'BEARER-2', {
      unlike,
      straight,
      because: 'the request is made over HTTP/1.0',
    });
  },
};
