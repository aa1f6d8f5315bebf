import { detours, orNothing } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';
import { bearer } from '../contract/service.ts';

/**
 * The guard and the router read the path apart, and one of them is more lenient: judged only where the spelling
 * leads to the endpoint when a valid token goes with it.
 */
export const anotherSpellingOfThePathIsNoWayIn: Probe = {
  name: 'another-spelling-of-the-path-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run({ service, account, endpoint, judge }) {
    const authorised = bearer(await service.issue(account));
    const straight = await service.call(endpoint, authorised);
    judge.admitted(straight, 'BEARER-1');
    for (const path of detours(endpoint.path)) {
      const both = await orNothing(
        Promise.all([
          service.call(endpoint, { ...authorised, path }),
          service.call(endpoint, { path }),
        ]),
      );
      if (both === undefined) continue;
      const [unlike, answer] = both;
      judge.shut(answer, 'BEARER-2', { unlike, straight, because: `the path is spelt ${path}` });
    }
  },
};
