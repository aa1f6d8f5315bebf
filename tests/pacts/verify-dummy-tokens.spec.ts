import { expect, test } from '@playwright/test';
import { plain, terminalText } from '../../contract/report/terminal.ts';
import { reportOf } from '../../pacts/verify/report/forms.ts';
import { faulty } from '../faults/index.ts';
import { fromState } from './made-up.ts';
import { reported } from './reporting.ts';
import { teamHandler } from './team-handler.ts';
import { endings, endingsOf, interaction, pactOf, verifying } from './verifying.ts';

const dummy = { headers: { Authorization: ['Bearer abc123'] } };
const call = interaction('a call', [], { request: dummy });

test('a valid token replaces one that the consumer made up, and the report says so', async () => {
  const run = await verifying(pactOf(call));
  expect([run.exit, ...endings(run)]).toEqual([0, 'a call: verified']);
  expect(run.pacts[0]?.interactions[0]?.remarks).toEqual([
    'with a valid token instead of "abc123"',
  ]);
  expect(terminalText(reportOf(reported(run)), plain(120))).toContain(
    '✓ a call  with a valid token instead of "abc123"',
  );
});

test('it is sent as it stands on request, and where a 401 is expected', async () => {
  expect(await endingsOf(pactOf(call), { replacesTokens: false })).toEqual(['a call: failed']);
  const refusal = interaction('a call', [], { request: dummy, response: { status: 401 } });
  expect(await endingsOf(pactOf(refusal))).toEqual(['a call: verified']);
  const provider = faulty('refuses-everything');
  expect(await endingsOf(pactOf(refusal), { provider })).not.toContain('a call: verified');
  expect(await endingsOf(pactOf(call), { provider })).toEqual(['a call: failed']);
});

test('a refused token of a state is not replaced', async () => {
  await using handler = await teamHandler(() => ({ body: { token: 'a-token-of-the-team' } }));
  const generators = { header: { Authorization: fromState('Bearer ${token}') } };
  const own = interaction('a call', ['a user'], { request: { ...dummy, generators } });
  expect(await endingsOf(pactOf(own), { statesUrl: handler.url })).toEqual(['a call: failed']);
});
