import { detours, noWayIn } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * The guard and the router read the path apart, and one of them is more lenient: judged only where the spelling
 * leads to the endpoint when a valid token goes with it.
 */
export const anotherSpellingOfThePathIsNoWayIn: Probe = {
  name: 'another-spelling-of-the-path-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    await noWayIn(
      world,
      detours(world.endpoint.path).map((path) => [`the path is spelt ${path}`, { path }]),
    );
  },
};
