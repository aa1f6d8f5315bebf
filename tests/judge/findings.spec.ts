import { expect, test } from '@playwright/test';
import { evidenceOf } from '../../contract/evidence.ts';
import { outline } from '../../contract/http/answer.ts';
import { judgeProvider } from '../../contract/round/round.ts';
import { hours } from '../../contract/time/clock.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { answer, context, refusal, widgets } from './answers.ts';

const control = answer(200, widgets);
const contrast = { control, reason: 'no token was sent' };
const canary = 'CANARY-7f3a9c51';

test('a finding has when, request, expected, received and the body that came', () => {
  const [judge, { findings }] = context();
  const line = 'GET /x   Authorization: Bearer [secret]';
  judge.refused(answer(200, widgets, { line }), 'BEARER-2', contrast);
  expect(findings).toEqual([
    {
      clause: 'BEARER-2',
      probe: 'a-probe',
      endpoint: 'GET /public-api/v1/widgets',
      when: 'no token was sent',
      asked: line,
      expected: '401 {"success":false,"message":"Invalid or expired access token."}',
      received: '200 application/json, 56 bytes',
      body: '{"success":true,"message":"…","data":[0]}',
    },
  ]);
});

test('the age of a token is shown only where time is simulated', () => {
  const late = answer(200, widgets, { tokenAgeMs: hours(24) });
  const when = (simulated: boolean, reason: string): string | undefined => {
    const [judge, { findings }] = context({ simulated });
    judge.refused(late, 'EXPIRY-2', { control, reason });
    return findings[0]?.when;
  };
  const age = 'at 24 h 00 min 00.000 s after the token was made';
  expect(when(true, 'it has expired')).toBe(`${age}, it has expired`);
  expect(when(true, '')).toBe(age);
  expect(when(false, 'it has expired')).toBe('it has expired');
});

test('the expectation is described for each kind of judgement', () => {
  const [judge, { findings }] = context();
  judge.admitted(answer(401, refusal), 'BEARER-1');
  judge.issued(answer(200));
  judge.shut(answer(200, widgets), 'BEARER-2', { ...contrast, authorised: control });
  expect(findings.map(({ when, expected }) => [when, expected])).toEqual([
    ['the token is valid', 'any answer but 401'],
    ['the credentials are valid', '{"success":true,"message":"…","data":{"accessToken":"…"}}'],
    ['no token was sent', 'anything but what the endpoint answers when authorised'],
  ]);
});

/** Everything that a judge records about hostile texts. @param own what our own texts say */
function written(text: string, own = text): string {
  const [judge, record] = context();
  const hostile = { line: `GET /${own}`, type: `text/${text}` };
  judge.refused(answer(401, { success: false, message: text }, hostile), 'BEARER-2', contrast);
  judge.refused(answer(200, widgets, hostile), 'BEARER-2', contrast);
  judge.refused(answer(401, text, hostile), 'BEARER-2', { control, reason: own });
  judge.broken('TOKEN-2', answer(200), { reason: own, expected: own, received: text });
  judge.observe('OPEN-3', 'success message', text);
  judge.unproven(own);
  expect(record.findings).toHaveLength(4);
  const message: object[] = [...record.findings, ...record.observations];
  return [...message.flatMap(Object.values), record.unproven].join(' ');
}

test('control characters of a provider are removed', () => {
  const marks = [...'\0\x7f\x9b\u202e\u200b\ufeff'];
  for (const text of [...marks, '\x1b[2J', '\r\n::error::x', 'half \ud83d', '\udc00 half'])
    expect(written(`<${text}>`)).not.toMatch(/\p{C}/u);
});

test('a long answer of a provider is cut', () => {
  const long = written('x'.repeat(100_000));
  expect(long.length).toBeLessThan(8000);
});

test('an answer is outlined by status, media type and size', () => {
  const json = answer(200, widgets, { type: 'application/json; charset=utf-8' });
  expect(outline(json)).toBe('200 application/json, 56 bytes');
  expect(outline(answer(204))).toBe('204 0 bytes');
  expect(outline(answer(200, 'x', { type: 'x'.repeat(81) }))).toBe(`200 ${'x'.repeat(80)}, 1 byte`);
});

test('secrets are never shown, not even when they are cut in half', () => {
  expect(written(canary, '')).not.toContain('CANARY');
  expect(written(`${'x'.repeat(490)}${canary}`, '')).not.toContain('CANARY');
});

test('our own texts stay readable, whatever the credentials are', () => {
  const own = `the word ${canary} is our own`;
  expect(written('', own)).toContain(own);
  expect(written('', own)).not.toContain('[secret]');
});

test('the first reason for missing proof is kept', () => {
  const [judge, record] = context();
  judge.unproven('one');
  judge.unproven('another');
  expect(record.unproven).toBe('one');
});

test('an observation has a fact and its value', () => {
  const [judge, record] = context();
  judge.observe('OPEN-1', 'status of a success', '201');
  const observed = { id: 'OPEN-1', fact: 'status of a success', value: '201' };
  expect(record.observations).toEqual([observed]);
});

test('a finding about another spelling of the JSON names the spelling', async () => {
  const spelled = probes.filter(({ name }) => name === 'any-spelling-of-the-json-gets-a-token');
  const failing = { ...right, granted: () => ({ status: 500, body: '' }) };
  const { results } = await judgeProvider(sandboxInMemory(failing), spelled);
  expect(results.flatMap(({ findings }) => findings.map(({ when }) => when))).toEqual([
    'the credentials are valid, and secretKey comes first',
    'the credentials are valid, and white space is around them',
    'the credentials are valid, and each of their characters is a Unicode escape',
  ]);
});

const bodyOf = (...of: Parameters<typeof answer>): string | undefined =>
  evidenceOf(answer(...of)).body;

test('the body of a refusal is shown as one line', () => {
  expect(bodyOf(403, { error: 'forbidden', code: 7 })).toBe('{"error":"forbidden","code":7}');
  const page = bodyOf(502, '<h1>Bad\n  Gateway</h1>\n', { type: 'text/html' });
  expect(page).toBe('<h1>Bad Gateway</h1>');
});

test('only the structure of a success is shown', () => {
  expect(bodyOf(200, { ...widgets, nothing: null, more: [{ pin: 1234 }, 'secret'] })).toBe(
    '{"success":true,"message":"…","data":[0],"nothing":null,"more":[{"pin":0}]}',
  );
  expect(bodyOf(200, { 'anna@example.com': 'x', [`k${'x'.repeat(40)}`]: 1 })).toBe('{"…":0}');
  expect(bodyOf(200, '"only-a-text"')).toBe('"…"');
});

test('a refusal under the status of a success shows its message', () => {
  expect(bodyOf(200, { ...refusal, token: 'x' })).toBe(
    '{"success":false,"message":"Invalid or expired access token.","token":"…"}',
  );
});

test('only the structure of what the token endpoint answers is shown, whatever its status', () => {
  const line = 'POST /public-api/v1/auth/token   {"apiKey":"[secret]"}';
  for (const status of [200, 400, 500])
    expect(bodyOf(status, { access: 'planted', ends: 60 }, { line })).toBe(
      '{"access":"…","ends":0}',
    );
});

test('a page in place of a success shows its title, and no other text is shown', () => {
  const page = '<html><title>Log in</title><input value="planted"></html>';
  expect(bodyOf(200, page, { type: 'text/html' })).toBe('<title>Log in');
  expect(bodyOf(200, 'planted', { type: 'text/plain' })).toBeUndefined();
});

test('no body and a very large one say nothing', () => {
  expect(bodyOf(401)).toBeUndefined();
  expect(bodyOf(401, ' \n ', { type: 'text/plain' })).toBeUndefined();
  expect(bodyOf(401, 'x'.repeat(70_000), { type: 'text/plain' })).toBeUndefined();
});

test('a JWT in a refusal is not shown, and a finding has neither known secrets nor control characters', () => {
  const jwt = ['eyJhbGciOiJub25lIn0', 'eyJzdWIiOiIxIn0', 'c2ln'].join('.');
  expect(bodyOf(403, `see ${jwt}.`, { type: 'text/plain' })).toBe('see [secret].');
  const [judge, record] = context();
  const control = answer(200, widgets);
  const body = `\u001b[31mCANARY-7f3a9c51\u0007 ${'long '.repeat(200)}`;
  judge.refused(answer(403, body, { type: 'text/plain' }), 'BEARER-2', { control, reason: 'x' });
  const [finding] = record.findings;
  expect(finding?.body).toMatch(/^\ufffd\[31m\[secret\]\ufffd long .*…$/);
  expect(finding?.body?.length).toBeLessThanOrEqual(500);
});
