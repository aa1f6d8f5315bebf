import { besides, detours, guessing, parameters, remembering } from '../contract/detour.ts';
import { openParameters, openWords } from '../contract/guesses.ts';
import type { Probe } from '../contract/probe.ts';
import { noWayIn, type Way } from '../contract/way-in.ts';

/**
 * The guard and the router read the path apart, and one of them is more lenient, or a proxy lets pass what looks like
 * a static file or a health check.
 */
export const anotherSpellingOfThePathIsNoWayIn: Probe = {
  name: 'another-spelling-of-the-path-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  everySeconds: 3600,
  anyToken: true,
  async run(world) {
    const own = world.endpoint.path;
    const [spellingsOf, neighboursOf] = [remembering(detours), remembering(besides)];
    const spelt = spellingsOf(own).map(
      (spelling, index): Way => ({
        reason: `the path is spelt ${spelling}`,
        ask: ({ path }) => ({ path: spellingsOf(path)[index] ?? spelling }),
      }),
    );
    const near = neighboursOf(own).map(
      (beside, index): Way => ({
        reason: `the path is ${beside}`,
        beside: true,
        ask: ({ path }) => ({ path: neighboursOf(path)[index] ?? beside }),
      }),
    );
    const whole: Way = {
      reason: 'the request target is an absolute address',
      ask: () => ({ address: 'target' }),
    };
    await noWayIn(world, [...spelt, ...near, whole, ...queries]);
  },
};

const words = `${openWords} ${openParameters}`;

/** Words that open a door, as parameters; some guards look only at how the address ends. */
const queries: readonly Way[] = [
  [...parameters(words), ...parameters('.css')],
  [...parameters(words, '=1'), ...parameters('x=.js')],
  [...parameters(words, '=true'), ...parameters('x=/favicon.png')],
  [
    ...parameters('path url uri next redirect', '=/health'),
    ...parameters('auth guard authenticate', '=false'),
    ...parameters('file=index.html'),
  ],
  openWords.split(' ').flatMap((word) => parameters(`/${word}`)),
].map((guesses) => guessing(guesses, { reason: 'the query has' }));
