import { expect, test } from '@playwright/test';
import { apiPrefix, tokenPath } from '../../contract/http/request.ts';
import { needsClock } from '../../contract/probe.ts';
import { targetAt } from '../../gate/under-test.ts';
import { probes } from '../../probes/index.ts';
import { type Call, right } from '../../sandbox/behaviour.ts';
import { sandboxAccount, startSandbox } from '../../sandbox/provider.ts';
import { leaksOf } from '../planted.ts';
import { judgeProvider } from './judge-provider.ts';

const base = '/gateway';

type Sent = Pick<Call, 'method' | 'path' | 'url' | 'headers' | 'body'>;

/** Requests that contain the key or the secret in any form, other than in the body for the token endpoint. */
function strays(calls: readonly Sent[]): string[] {
  const leaks = leaksOf(Object.values(sandboxAccount));
  return calls
    .filter(({ method, path, url, headers, body }) => {
      const forTokens = method === 'POST' && path === tokenPath;
      const open = `${url}\n${JSON.stringify(headers)}\n${forTokens ? '' : body}`;
      return leaks(open).length > 0;
    })
    .map(({ method, path }) => `${method} ${path} carries credentials: send a token instead`);
}

/**
 * Requests whose path is not below the base path and the version's prefix. The request target may be a full URL
 * (RFC 9112 3.2.2).
 */
const outside = (calls: readonly Sent[]): string[] =>
  calls
    .filter(({ url }) => !url.replace(/^http:\/\/[^/]+/, '').startsWith(base + apiPrefix))
    .map(({ method, url }) => `${method} ${url}: every path begins with ${base}${apiPrefix}`);

/** The requests of a round, without the probes that send the credentials in other places on purpose. */
async function sent(): Promise<Call[]> {
  const calls: Call[] = [];
  const behaviour = {
    ...right,
    arrived(call: Call) {
      calls.push(call);
      return 0;
    },
  };
  await using sandbox = await startSandbox({ behaviour, prefix: base });
  const due = probes.filter(
    (probe) =>
      !needsClock(probe) &&
      !probe.clauses.includes('BEARER-5') &&
      probe.name !== 'incomplete-credentials-get-no-token',
  );
  const round = await judgeProvider(targetAt(sandbox.baseUrl), due);
  expect(round.exit).toBe(0);
  expect(calls.length).toBeGreaterThan(300);
  return calls;
}

test('the key and the secret go to the token endpoint only (CALLER-1)', async () => {
  expect(strays(await sent())).toEqual([]);
});

test('every path called is below /public-api/v1/ (VERSION-1)', async () => {
  expect(outside(await sent())).toEqual([]);
});
