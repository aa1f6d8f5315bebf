import { refusesForgeries } from '../contract/attacks/forged.ts';
import type { Probe } from '../contract/probe.ts';
import { madeUpLike, zerosLike } from '../contract/token-form.ts';

/** Texts of the right form that the service did not generate. */
export const aMadeUpTokenIsRefused: Probe = {
  name: 'a-made-up-token-is-refused',
  clauses: ['BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 60,
  anyToken: true,
  run: (world) =>
    refusesForgeries(world, (token) => [madeUpLike(token), madeUpLike(token), zerosLike(token)]),
};
