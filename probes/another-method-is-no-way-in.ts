import { noWayIn } from '../contract/detour.ts';
import type { Probe } from '../contract/probe.ts';

/** A guard bound to some methods misses HEAD and OPTIONS, which routers often send to the same handler. */
export const anotherMethodIsNoWayIn: Probe = {
  name: 'another-method-is-no-way-in',
  clauses: ['BEARER-2'],
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    const methods = world.endpoint.method === 'GET' ? ['HEAD', 'OPTIONS'] : ['OPTIONS'];
    await noWayIn(
      world,
      methods.map((method) => [`the method is ${method}`, { method }]),
    );
  },
};
