import { refusesBypasses } from '../contract/attacks/bypass.ts';
import { inChunks } from '../contract/attacks/request-variations.ts';
import type { CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';

/** Many servers handle a body without a length in other code, which sometimes bypasses the guard. */
export const aChunkedBodyIsNoWayIn: Probe = {
  name: 'a-chunked-body-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    const options = (): CallOptions => inChunks(world.endpoint.body);
    const reason = 'the body is sent in chunks';
    await refusesBypasses(world, [{ reason, options }]);
  },
};
