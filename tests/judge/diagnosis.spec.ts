import { expect, test } from '@playwright/test';
import type { MustId } from '../../contract/clauses.ts';
import { duration, hours, lifetime, minutes, seconds } from '../../contract/durations.ts';
import type { Finding } from '../../contract/finding.ts';
import { type DiagnosedRun, diagnose } from '../../contract/judge/diagnosis.ts';
import { probes } from '../../probes/index.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { living } from '../faults/fault.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { judgeProvider } from './judge-provider.ts';

const widgets = 'GET /public-api/v1/widgets';
const reports = 'POST /public-api/v1/reports';

const finding = (clause: MustId, more: Partial<Finding> = {}): Finding => ({
  clause,
  probe: 'a-probe',
  endpoint: widgets,
  when: '',
  asked: `${widgets}   Authorization: Bearer [secret]`,
  expected: '401',
  received: '200 application/json, 48 bytes',
  ...more,
});

const run = (findings: readonly Finding[], more: Partial<DiagnosedRun> = {}): DiagnosedRun => ({
  probe: { name: 'a-probe' },
  endpoint: widgets,
  findings,
  ...more,
});

const aged = (clause: MustId, ageMs: number): Finding =>
  finding(clause, { when: `at ${duration(ageMs)} after the token was made` });

const received = (clause: MustId, ...texts: string[]): Finding[] =>
  texts.map((text) => finding(clause, { received: text }));

const forbidden = received('ERROR-1', '403 text/html, 9 bytes', '403 text/html, 12 bytes');
const bare = finding('BEARER-2', { asked: widgets });
const inQuery = finding('BEARER-2', { asked: `${widgets}?token=[secret]` });
const late = aged('EXPIRY-2', lifetime + seconds(30));

const cases: [what: string, findings: Finding[], others: Partial<DiagnosedRun>[], says?: string][] =
  [
    [
      'a leeway',
      [aged('EXPIRY-2', lifetime), late],
      [{ youngestRefusedMs: lifetime + minutes(5) }, { youngestRefusedMs: lifetime + minutes(1) }],
      'Accepted until between 30 s and 1 min after the end: a leeway?',
    ],
    [
      'an accepted last instant',
      [aged('EXPIRY-2', lifetime)],
      [{ youngestRefusedMs: lifetime + seconds(30) }],
      'Accepted until between 0 s and 30 s after the end: a leeway?',
    ],
    [
      'a month',
      [aged('EXPIRY-2', 25 * lifetime)],
      [{ youngestRefusedMs: 31 * lifetime }],
      'Accepted until between 24 d and 30 d after the end: a longer life?',
    ],
    ['no end', [late], [], 'No token was refused at any age: tokens do not expire, or the test'],
    [
      'an end of some tokens',
      [late],
      [{ youngestRefusedMs: lifetime }],
      'Some tokens are refused 0 s after the end, and others accepted 30 s after it',
    ],
    [
      'an end that differs at the same age',
      [late],
      [{ youngestRefusedMs: lifetime + seconds(30) }],
      'Some tokens are refused 30 s after the end, and others accepted 30 s after it',
    ],
    [
      'an early end',
      [aged('EXPIRY-1', hours(2))],
      [{ oldestAdmittedMs: hours(1) }, {}],
      'Tokens end at an age between 1 h and 2 h, not at 24 h',
    ],
    ['an early end of some tokens', [aged('EXPIRY-1', hours(2))], [{ oldestAdmittedMs: hours(3) }]],
    ['a new token that ends the first, without an age', [finding('EXPIRY-4')], []],
    ['one status', forbidden, [], 'All refusals have status 403'],
    [
      'one status of some refusals',
      forbidden,
      [{ sawRefusal: true }],
      'Refusals have status 403 or 401',
    ],
    [
      'several statuses',
      received('ERROR-1', '500 text/html', '403 text/html'),
      [],
      'Refusals have status 403, 500 or 401',
    ],
    [
      'requests without the header',
      [bare, inQuery],
      [{ sawRefusal: true }],
      'Only requests without an Authorization header',
    ],
    ['a token in the query', [inQuery], [{ sawRefusal: true }]],
    ['an open endpoint', [bare, finding('BEARER-2')], [{ sawRefusal: true }]],
    ['one endpoint', [finding('BEARER-3')], [{ endpoint: reports }], `Only ${widgets}`],
    [
      'an endpoint without this probe',
      [finding('BEARER-3')],
      [{ endpoint: reports, probe: { name: 'b' } }],
    ],
    ['one other status', received('ERROR-1', '403 text/html'), []],
    ['one finding of its own', [finding('TOKEN-1')], []],
  ];

for (const [what, findings, others, says] of cases)
  test(`the diagnosis of ${what} is ${says ?? 'not known'}`, () => {
    const clause = findings[0]?.clause ?? 'TOKEN-1';
    const runs = [run(findings), ...others.map((more) => run([], more))];
    const diagnosis = diagnose(clause, findings, runs);
    if (says === undefined) expect(diagnosis).toBe(undefined);
    else expect(diagnosis).toContain(says);
  });

test('a clause without findings has no diagnosis', () => {
  for (const clause of ['BEARER-4', 'EXPIRY-2', 'ERROR-1'] as const)
    expect(diagnose(clause, [], [run([])])).toBe(undefined);
});

for (const [what, behaviour, id, says] of [
  ['a leeway', living(lifetime + minutes(1)), 'EXPIRY-2', 'until between 30 s and 1 min after'],
  [
    'tokens without an end',
    { expired: () => false },
    'EXPIRY-2',
    'No token was refused at any age',
  ],
  ['tokens of an hour', living(hours(1)), 'EXPIRY-1', 'Tokens end at an age between '],
] as const)
  test(`a round against ${what} ends with its diagnosis`, async () => {
    const wrong: Partial<Behaviour> = behaviour;
    const about = probes.filter(({ clauses }) => clauses.some((clause) => clause === id));
    const { clauses } = await judgeProvider(sandboxInMemory({ ...right, ...wrong }), about);
    expect(clauses.find(({ clause }) => clause.id === id)?.diagnosis).toContain(says);
  });
