import type { Service } from '../../contract/http/client.ts';
import type { Endpoint } from '../../contract/http/request.ts';
import type { Probe } from '../../contract/probe.ts';
import { attempt, type ProbeResult, present } from '../../contract/round/attempt.ts';
import type { Token } from '../../contract/secrets/secret.ts';
import { keptService } from '../../monitor/target/token-client.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { faulty } from '../faults/index.ts';
import { account, endpoints, expect, first, type Stage, test } from './keeping.ts';

const marked = probes.filter(({ anyToken }) => anyToken === true);

test('probes marked for any token run in production, and do not test new tokens', () => {
  expect(marked.length).toBeGreaterThan(10);
  for (const { name, clauses, everySeconds, stage } of marked) {
    expect(everySeconds, name).toBeDefined();
    expect(['first', 'present', 'disturbing'], name).toContain(stage);
    // Of TOKEN-4 a probe without the mark judges a new token in every run.
    expect(
      clauses.filter((id) => /^(TOKEN-[1-3]|EXPIRY-.)$/.test(id)),
      name,
    ).toEqual([]);
  }
});

const plainly = { scrub: String, simulated: false };

/** Runs probes on every endpoint. */
async function run(
  due: readonly Probe[],
  stage: Stage,
  kept: boolean,
  on: readonly Endpoint[] = endpoints,
): Promise<ProbeResult[]> {
  const results: ProbeResult[] = [];
  for (const probe of due)
    for (const endpoint of on) {
      const client = stage.open();
      const service = kept ? keptService(client, stage.tokenClient) : client;
      const world = { service, account, endpoint, endpoints: on, clock: present };
      results.push(await attempt(probe, world, plainly));
    }
  return results;
}

const brief = (results: readonly ProbeResult[]): unknown[] =>
  results.map(({ probe, endpoint, outcome, findings, observations, unproven }) => [
    `${probe.name} ${endpoint} ${outcome} ${unproven ?? ''}`,
    findings
      // One random token has a sign at which it is cut, and another has none.
      .filter(({ when }) => !/ (first|last) [-_]$/.test(when))
      .map(({ clause, when }) => `${clause} ${when}`),
    observations,
  ]);

for (const fault of [
  undefined,
  'any-token',
  'connection-remembered',
  'head-unguarded',
  'no-header-no-check',
  'scheme-not-looked-at',
  'token-in-form-body',
  'other-message',
])
  test(`the probes spend one token against ${fault ?? 'the correct service'}, and find what they find with new tokens`, async ({
    start,
  }) => {
    const stage = await start(fault === undefined ? right : faulty(fault));
    const withKept = await run(marked, stage, true);
    expect(stage.exchanges).toHaveLength(1);
    expect(stage.unexpected).toEqual([]);
    expect(brief(withKept)).toEqual(brief(await run(marked, stage, false)));
    expect(withKept.some(({ outcome }) => outcome === 'failed')).toBe(fault !== undefined);
  });

test('no probe of the monitor passes in an outage, with a single endpoint', async ({ start }) => {
  let isDown = false;
  const stage = await start({
    ...right,
    finish: (reply, call, state) => (isDown ? { status: 503 } : right.finish(reply, call, state)),
  });
  await stage.tokenClient.token();
  isDown = true;
  const others = probes.filter((probe) => probe.everySeconds !== undefined && !probe.anyToken);
  const withKept = await run(marked, stage, true, [first]);
  const results = [...withKept, ...(await run(others, stage, false, [first]))];
  const passed = results.filter(({ outcome }) => outcome !== 'unreachable');
  const remedy = 'send at least the control in every run';
  expect([...new Set(passed.map(({ probe }) => probe.name))], remedy).toEqual([]);
});

test('an endpoint that does not answer has no observed facts', async ({ start }) => {
  const stage = await start({
    ...right,
    finish: (reply, call, state) =>
      call.path === first.path ? { status: 503 } : right.finish(reply, call, state),
  });
  const watched = probes.filter(({ everySeconds }) => everySeconds !== undefined);
  const open = watched.filter(({ clauses }) => clauses.every((id) => id.startsWith('OPEN-')));
  const results = await run(open, stage, false, [first]);
  const facts = results
    .flatMap(({ observations }) => observations)
    .filter(({ value }) => value === 'no answer')
    .map(({ id, fact }) => `${id} ${fact}`);
  expect(facts).toEqual([]);
});

test('every probe that uses a refused kept token reports the refusal', async ({ start }) => {
  const stage = await start();
  const message: string[] = [];
  for (const probe of marked)
    for (const endpoint of endpoints) {
      stage.tokenClient.discard(await stage.tokenClient.token());
      const kept = keptService(stage.open(), stage.tokenClient);
      const issue = async (): Promise<Token> => {
        const token = await kept.issue(account);
        stage.sandbox.state.tokens.clear();
        return token;
      };
      const service: Service = {
        ...kept,
        issue,
        connection: (use, sharing) => kept.connection((one) => use({ ...one, issue }), sharing),
      };
      const world = { service, account, endpoint, endpoints, clock: present };
      const { findings, observations } = await attempt(probe, world, plainly);
      const output = findings.length + observations.length > 0;
      if (output && !kept.refusedKept()) message.push(`${probe.name} ${endpoint.method}`);
    }
  const remedy = 'remove anyToken, or send the control with the token alone';
  expect(message, remedy).toEqual([]);
  expect(stage.unexpected.length).toBeGreaterThan(marked.length);
});
