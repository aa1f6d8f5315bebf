import { expect, test } from '@playwright/test';
import { jsonOf } from '../../contract/http/answer.ts';
import type { Service } from '../../contract/http/client.ts';
import type { Probe } from '../../contract/probe.ts';
import { type AttemptContext, attempt, present } from '../../contract/round/attempt.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { everyCauseGetsTheSame401 } from '../../probes/error.ts';
import { rightCredentialsGetAToken, wrongCredentialsGetNoToken } from '../../probes/token.ts';
import { serviceAnswering, widgets } from '../client/simulated-service.ts';
import { answer } from './answers.ts';

const nested = (depth: number, [open, close] = ['[', ']']): string =>
  open.repeat(depth) + close.repeat(depth);

test('JSON that is nested too deep is omitted, and brackets in strings do not count', () => {
  const written = (body: string): string | undefined => {
    const json = jsonOf(answer(401, body));
    return json.is === 'json' ? JSON.stringify(json.value) : undefined;
  };
  expect(written(nested(256))).toBe(nested(256));
  for (const deep of [nested(257), nested(100_000), nested(255).replace('[]', '[[1,[2]]]')])
    expect(written(deep)).toBe(nested(256));
  const objects = `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`;
  expect(written(objects)).toBe(`${'{"a":'.repeat(255)}{}${'}'.repeat(255)}`);
  for (const broken of [nested(300).slice(0, -1), `${nested(300)}]`, '['.repeat(100_000)])
    expect(written(broken)).toBe(undefined);
  const brackets = JSON.stringify({ text: `"\\${'['.repeat(1000)}` });
  expect(written(brackets)).toBe(brackets);
  const wide = `[${'[],{},'.repeat(10_000)}0]`;
  expect(written(wide)).toBe(wide);
});

/** The result of a probe on a service that answers with one body. */
function attempted(probe: Probe, body: string, status: number) {
  const one = async () => answer(status, body);
  const secret = new Secret('a-token-that-was-given');
  const service: Service = {
    ...serviceAnswering(one),
    issue: async () => ({ secret, madeAt: 0 }),
    call: async (_, { token } = {}) => (token === undefined ? one() : answer(200, { widgets: [] })),
    connection: (use) => use(service),
  };
  const account = { apiKey: new Secret('the-api-key'), secretKey: new Secret('the-secret-key') };
  const context: AttemptContext = { scrub: String, simulated: false };
  const world = { service, account, endpoint: widgets, endpoints: [widgets], clock: present };
  return attempt(probe, world, context);
}

const deep = 100_000;
const envelope = (inside: string): string =>
  `{"success":false,"message":"Invalid or expired access token.","more":${inside}}`;

for (const [probe, status, found] of [
  [rightCredentialsGetAToken, 200, ['TOKEN-1', 'TOKEN-1']],
  // This service admits every token.
  [everyCauseGetsTheSame401, 401, ['ERROR-2', 'BEARER-3']],
  [wrongCredentialsGetNoToken, 400, [undefined, undefined]],
] as const)
  test(`${probe.name} judges an answer that is nested very deep`, async () => {
    const bodies = [nested(deep), envelope(nested(deep))];
    const results = await Promise.all(bodies.map((body) => attempted(probe, body, status)));
    expect(results.map(({ findings }) => findings[0]?.clause)).toEqual(found);
    for (const { outcome, findings } of results)
      expect(outcome).toBe(findings.length === 0 ? 'passed' : 'failed');
  });
