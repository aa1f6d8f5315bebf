import { mustHold } from '../../contract/clauses.ts';
import { exchange } from '../../contract/http/exchange.ts';
import { UnreachableError } from '../../contract/http/unreachable.ts';
import { plain } from '../../contract/report/terminal.ts';
import { formatDocument, formatReport } from '../../monitor/probe/report.ts';
import { planRounds, type TargetRound } from '../../monitor/probe/round.ts';
import { planPlaces } from '../../monitor/round/plan.ts';
import type { Run } from '../../monitor/round/run.ts';
import { probes } from '../../probes/index.ts';
import { expect, test } from '../test.ts';
import { startRound } from './probe-process.ts';
import { lettingEverybodyIn, startProvider, unavailable } from './provider.ts';
import { probeAbout, target } from './runs.ts';

const violatedIn = ({ clauses }: TargetRound): string[] =>
  clauses.filter(({ verdict }) => verdict === 'violated').map(({ clause }) => clause.id);

const lastLine = (round: TargetRound): string | undefined =>
  formatReport([round], plain()).trim().split('\n').at(-1);

test('prerequisite probes run first, disturbing probes later, and wrong credentials last', () => {
  const stages = ['wrong-credentials', 'disturbing', 'present', 'first'] as const;
  const made = stages.map((stage) => probeAbout(stage, ['BEARER-2'], { stage }));
  const probeNames = (more: object) => [
    ...new Set(planPlaces({ ...target, ...more }, made, 60).map(({ probe }) => probe.name)),
  ];
  expect(probeNames({ intrusive: true })).toEqual(stages.toReversed());
  expect(probeNames({ chosen: { present: 'off' } })).toEqual(['first', 'disturbing']);
});

test('a provider that keeps the contract gets 0, also in strict mode, and one token serves all probes that accept any', async () => {
  await using provider = await startProvider();
  const runs: Run[] = [];
  const onRun = (run: Run): void => void runs.push(run);
  const round = await startRound(provider.target, { strict: true, onRun });
  expect(round).toMatchObject({ exit: 0, unjudged: undefined });
  expect(round.clauses.map(({ clause }) => clause)).toEqual(mustHold);
  expect(round.results.every(({ outcome }) => outcome === 'passed')).toBe(true);
  expect(round.results).toHaveLength(planPlaces(provider.target, probes, 60).length);
  // The additional request is for the kept token; it belongs to no run.
  expect(round.requests).toBe(1 + runs.reduce((sum, { requests }) => sum + requests, 0));
});

test('a provider that does not answer gets one request, and the reason is the whole report', async () => {
  const silent: typeof exchange = async (_wire, _shot, where) => {
    throw new UnreachableError('timeout', where, 'planted');
  };
  const round = await startRound(target, { exchange: silent });
  expect(round).toMatchObject({ exit: 2, requests: 1 });
  expect(new Set(round.clauses.map(({ verdict }) => verdict))).toEqual(new Set(['unverified']));
  expect(formatReport([round], plain()).trim()).toMatch(
    /^! http:\/\/127.0.0.1:1\/ could not be judged: .*planted.* · 1 request, \d\.\d+ s$/,
  );
});

test('refused credentials and a gateway without a backend get 2, and so does, if strict, a provider that proves nothing', async () => {
  await using provider = await startProvider();
  provider.become(unavailable);
  expect((await startRound(provider.target)).exit).toBe(2);
  provider.become({ valid: () => false });
  const refused = await startRound(provider.target);
  expect(refused).toMatchObject({ exit: 2, unjudged: expect.stringContaining('refused the cred') });
  // If the provider answers every request with 404, no control can show that a token opens the endpoint.
  provider.become({ route: () => undefined });
  const rounds = [false, true].map((strict) => startRound(provider.target, { strict }, 'bearer-2'));
  const [lenient, strict] = (await Promise.all(rounds)).map(lastLine);
  expect(lenient).toContain('! No clause violated · 0 held, ');
  expect(strict).toContain('! Not verified, which --strict refuses · 0 held, ');
});

test('a provider that admits everything gets 1, and a defect of ours in the middle of it 3', async () => {
  await using provider = await startProvider();
  provider.become(lettingEverybodyIn);
  const broken = await startRound(provider.target);
  expect(broken.exit).toBe(1);
  expect(violatedIn(broken)).toContain('BEARER-2');
  let requests = 0;
  const mistaken: typeof exchange = async (...request) => {
    requests += 1;
    if (requests === 100) throw new TypeError('a mistake');
    return exchange(...request);
  };
  const defective = await startRound(provider.target, { exchange: mistaken });
  expect(defective.exit).toBe(3);
  expect(violatedIn(defective)).not.toEqual([]);
});

test('only token invalidation is reported where a new token ends the earlier ones', async () => {
  await using provider = await startProvider();
  provider.become({
    keep(token, { tokens }) {
      tokens.clear();
      tokens.set(token.text, token);
    },
  });
  expect(violatedIn(await startRound(provider.target, { concurrency: 12 }))).toEqual(['EXPIRY-4']);
});

test('a payload that does not match its schema gets 1 as a check of its own, with harmless texts', async () => {
  await using provider = await startProvider();
  const name = 'the-payload-is-as-its-schema-says';
  const [first] = provider.target.endpoints;
  const withPayload = (mismatch?: string) => {
    const unfit = { schema: '{}', mismatch: () => mismatch };
    return startRound({ ...provider.target, endpoints: [{ ...first, unfit }] }, {}, name);
  };
  const round = await withPayload('no\u001b[31m /items \r::error::');
  const right = await withPayload();
  expect(round).toMatchObject({ exit: 1, clauses: [] });
  expect(right.exit).toBe(0);
  const document = formatDocument([round, right], 1);
  const check = { title: name, place: 'GET /public-api/v1/widgets' };
  expect(JSON.parse(document).targets).toMatchObject([
    { checks: [{ ...check, verdict: 'violated', findings: [expect.stringContaining('/items')] }] },
    { checks: [{ ...check, verdict: 'holds' }] },
  ]);
  expect(lastLine(round)).toContain('✗ Own check failed · ');
  expect(document + formatReport([round], plain())).not.toMatch(/\\u001b|\\r|\u001b|\r/);
});

test('a selection reports the clauses of its probes, and breaches that they find', async () => {
  await using provider = await startProvider();
  provider.become({ unauthorised: () => ({ status: 403, json: {} }) });
  const round = await startRound(provider.target, {}, 'bearer-4', 'a-token-opens-the-endpoint');
  expect(violatedIn(round)).toContain('ERROR-1');
  expect(round.clauses.map(({ clause }) => clause.id)).not.toContain('TOKEN-2');
  expect([...new Set(round.results.map(({ probe }) => probe.name))].sort()).toEqual([
    'a-token-opens-the-endpoint',
    'another-scheme-is-refused',
    'every-endpoint-is-guarded',
  ]);
});

test('what only the gate can run is unverified, and refused if nothing else is selected', () => {
  const runs = (words: string[], intrusive = false) =>
    planRounds([{ ...target, intrusive }], words).flatMap(({ places }) => places).length;
  expect(() => runs(['TOKEN-2'])).toThrow('switched off here: npm run gate -- TOKEN-2');
  expect(runs(['TOKEN-2', 'BEARER-4'])).toBe(runs(['BEARER-4']));
  expect(runs(['TOKEN-2'], true)).toBeGreaterThan(0);
});
