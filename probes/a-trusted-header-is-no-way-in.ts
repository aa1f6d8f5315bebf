import { type Bypass, refusesBypasses } from '../contract/attacks/bypass.ts';
import {
  hosts,
  pathHeaders,
  protocolHeaders,
  trusted,
} from '../contract/attacks/header-guesses.ts';
import { guessing, headers, packed } from '../contract/attacks/path-variants.ts';
import { type Endpoint, prefix, tokenPath } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';

/**
 * Headers that a proxy may set, and that any client can send: they name an address, a host, a user or a
 * certificate that the guard trusts, mark an internal request, or change the path after the guard's check.
 */
export const aTrustedHeaderIsNoWayIn: Probe = {
  name: 'a-trusted-header-is-no-way-in',
  clauses: ['BEARER-2', 'BEARER-3'],
  scope: 'deep',
  stage: 'present',
  everySeconds: 3600,
  anyToken: true,
  async run(world) {
    const own = new Set(
      Object.keys(world.endpoint.headers ?? {}).map((name) => name.toLowerCase()),
    );
    const together = [...packed(trusted, own), ...packed(hosts, own)];
    await refusesBypasses(world, [
      ...together.map((guesses) => guessing(guesses, has)),
      ...paths,
      ...preflights(world.endpoint),
      ...protocolHeaders.map(alone),
      {
        reason: 'the request comes from the endpoint itself',
        options: () => ({ address: 'Referer' }),
      },
    ]);
  },
};

const has = { reason: 'the request has' };

const alone = (fields: Readonly<Record<string, string>>): Bypass => ({
  reason: `the request has ${JSON.stringify(fields)}`,
  options: () => ({ headers: fields }),
});

/** The guard reads one path, and the router another. */
const paths: readonly Bypass[] = [
  ...[tokenPath, `${prefix}health`].map((path) => ({
    reason: `the path is ${path}, and headers name the endpoint's`,
    options: ({ path: own }: Endpoint) => ({ path, headers: byName(own) }),
  })),
  ...[tokenPath, '/health', '/'].map((path) => guessing(headers(pathHeaders, path), has)),
];

const byName = (value: string): Record<string, string> =>
  Object.fromEntries(headers(pathHeaders, value).map(({ header }) => header));

/** A browser's preflight for a request from another site: its answer needs no token, and is not the endpoint's. */
function preflights({ method }: Endpoint): Bypass[] {
  const fields = {
    Origin: 'https://example.com',
    'Access-Control-Request-Method': method,
    'Access-Control-Request-Headers': 'authorization',
  };
  const reason = 'the request has the headers of a preflight';
  return [
    { reason, preflight: true, options: () => ({ headers: fields }) },
    { reason, preflight: true, options: () => ({ method: 'OPTIONS', headers: fields }) },
  ];
}
