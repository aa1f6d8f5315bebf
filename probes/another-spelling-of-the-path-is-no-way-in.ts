import { type Bypass, refusesBypasses } from '../contract/attacks/bypass.ts';
import { openParameters, openWords } from '../contract/attacks/guesses.ts';
import {
  guessing,
  neighbouringPaths,
  parameters,
  pathVariants,
} from '../contract/attacks/path-variants.ts';
import type { Probe } from '../contract/probe.ts';
import { remembering } from '../contract/remembering.ts';

/**
 * The guard and the router parse the path separately, and one of them is more lenient; or a proxy admits what
 * looks like a static file or a health check, or caches it for everyone.
 */
export const anotherSpellingOfThePathIsNoWayIn: Probe = {
  name: 'another-spelling-of-the-path-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 3600,
  anyToken: true,
  async run(world) {
    const { method, path: own } = world.endpoint;
    const cached = (path: string): boolean => method === 'GET' && /^[^?]*\.css(\?|$)/.test(path);
    const spellingsOf = remembering(pathVariants);
    const neighboursOf = remembering(neighbouringPaths);
    const spelt = spellingsOf(own).map(
      (spelling, index): Bypass => ({
        reason: `the path is spelt ${spelling}`,
        cached: cached(spelling),
        options: ({ path }) => ({ path: spellingsOf(path)[index] ?? spelling }),
      }),
    );
    const near = neighboursOf(own).map(
      (beside, index): Bypass => ({
        reason: `the path is ${beside}`,
        beside: true,
        cached: cached(beside),
        options: ({ path }) => ({ path: neighboursOf(path)[index] ?? beside }),
      }),
    );
    const whole: Bypass = {
      reason: 'the request target is an absolute address',
      options: () => ({ address: 'target' }),
    };
    await refusesBypasses(world, [...spelt, ...near, whole, ...queries]);
  },
};

const words = `${openWords} ${openParameters}`;

/** Parameters that may disable a guard; some guards check only the end of the address. */
const queries: readonly Bypass[] = [
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
