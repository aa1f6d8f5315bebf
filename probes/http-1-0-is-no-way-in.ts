import { refusesBypasses } from '../contract/attacks/bypass.ts';
import type { CallOptions } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';

/** Old clients, some proxies and health checks speak HTTP/1.0, which needs no Host header. */
export const http10IsNoWayIn: Probe = {
  name: 'http-1-0-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 600,
  anyToken: true,
  async run(world) {
    await refusesBypasses(
      world,
      variations.map(([reason, options]) => ({ reason, options: () => options })),
    );
  },
};

const variations: readonly (readonly [reason: string, options: CallOptions])[] = [
  ['the request is made over HTTP/1.0', { version: '1.0' }],
  ['the request is made over HTTP/1.0 without Host', { version: '1.0', headers: { Host: '' } }],
  [
    'the request is made over HTTP/1.0 on a connection to be kept',
    { version: '1.0', headers: { Connection: 'keep-alive' } },
  ],
];
