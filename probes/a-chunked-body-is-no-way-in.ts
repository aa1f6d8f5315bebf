import { orNothing } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';
import { type Ask, bearer } from '../contract/service.ts';

/** A body without a length takes another path through many servers, and sometimes one around the guard. */
export const aChunkedBodyIsNoWayIn: Probe = {
  name: 'a-chunked-body-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const chunked: Ask = { body: { json: {} }, chunked: true };
    const authorised = bearer(await service.issue(account));
    const straight = await service.call(endpoint, authorised);
    judge.admitted(straight, 'BEARER-1');
    const both = await orNothing(
      Promise.all([
        service.call(endpoint, { ...authorised, ...chunked }),
        service.call(endpoint, chunked),
      ]),
    );
    if (both === undefined) return;
    const [unlike, answer] = both;
    judge.shut(answer, 'BEARER-2', { unlike, straight, because: 'the body is sent in chunks' });
  },
};
