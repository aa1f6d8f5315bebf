import { expect, test } from '@playwright/test';
import { hours } from '../../contract/durations.ts';
import { createFinding } from '../../contract/judge/findings.ts';
import { always, answer, contractGetting, refusal, widgets } from './answers.ts';

const control = answer(200, widgets);
const contrast = { control, reason: 'no token was sent' };
const canary = 'CANARY-7f3a9c51';

test('a finding has when, request, expected, received and the body that came', async () => {
  const line = 'GET /x   Authorization: Bearer [secret]';
  const contract = contractGetting(answer(200, widgets, { line }));
  await contract.refuses({}, 'BEARER-2', contrast);
  expect(contract.record.findings).toEqual([
    {
      clause: 'BEARER-2',
      probe: 'a-probe',
      endpoint: 'GET /public-api/v1/widgets',
      when: 'no token was sent',
      asked: line,
      expected: '401 {"success":false,"message":"Invalid or expired access token."}',
      received: '200 application/json, 56 bytes',
    },
  ]);
});

test('the age of a token is shown only where time is simulated', async () => {
  const late = answer(200, widgets, { tokenAgeMs: hours(24) });
  const when = async (simulated: boolean, reason: string): Promise<string | undefined> => {
    const contract = contractGetting(late, { simulated });
    await contract.refuses({}, 'EXPIRY-2', { control, reason });
    return contract.record.findings[0]?.when;
  };
  const age = 'at 24 h 00 min 00.000 s after the token was made';
  expect(await when(true, 'it has expired')).toBe(`${age}, it has expired`);
  expect(await when(true, '')).toBe(age);
  expect(await when(false, 'it has expired')).toBe('it has expired');
});

test('a token that is refused at its very end is known to a diagnosis', async () => {
  const contract = contractGetting(answer(401, refusal, { tokenAgeMs: hours(24) }));
  await contract.refuses({}, 'BEARER-3', contrast);
  expect(contract.record.youngestRefusedMs).toBeUndefined();
  await contract.refuses({}, 'EXPIRY-2', contrast);
  expect(contract.record.youngestRefusedMs).toBe(hours(24));
});

/** Everything that a judge records about hostile texts. @param own what our own texts say */
async function recordHostile(text: string, own = text): Promise<string> {
  const contract = contractGetting(control);
  const { record } = contract;
  const hostile = { line: `GET /${own}`, type: `text/${text}` };
  for (const [given, reason] of [
    [answer(401, { success: false, message: text }, hostile), 'no token was sent'],
    [answer(200, widgets, hostile), 'no token was sent'],
    [answer(401, text, hostile), own],
  ] as const)
    await contract.judgeRefusal(always(given), 'BEARER-2', { control, reason });
  contract.violated('TOKEN-2', answer(200), { reason: own, expected: own, received: text });
  contract.observe('OPEN-3', 'success message', text);
  contract.unproven(own);
  expect(record.findings).toHaveLength(4);
  const message: object[] = [...record.findings, ...record.observations];
  return [...message.flatMap(Object.values), record.unproven].join(' ');
}

test('control characters of a provider are removed', async () => {
  const marks = [...'\0\x7f\x9b\u202e\u200b\ufeff'];
  for (const text of [...marks, '\x1b[2J', '\r\n::error::x', 'half \ud83d', '\udc00 half'])
    expect(await recordHostile(`<${text}>`)).not.toMatch(/\p{C}/u);
});

test('secrets are never shown, not even when they are cut in half', async () => {
  expect(await recordHostile(canary, '')).not.toContain('CANARY');
  expect(await recordHostile(`${'x'.repeat(490)}${canary}`, '')).not.toContain('CANARY');
});

const context = { probe: '', endpointName: '', scrub: String, simulated: false };
const bodyOf = (...of: Parameters<typeof answer>): string | undefined =>
  createFinding(context, 'ERROR-1', answer(...of), { reason: '', received: '' }).body;

test('the body of a refusal is shown as one line', () => {
  expect(bodyOf(403, { error: 'forbidden', code: 7 })).toBe('{"error":"forbidden","code":7}');
  const page = bodyOf(400, '<h1>Bad\n  Gateway</h1>\n', { type: 'text/html' });
  expect(page).toBe('<h1>Bad Gateway</h1>');
});

test('nothing of a success or of the token endpoint is shown but the message of a denial', () => {
  const line = 'POST /public-api/v1/auth/token   {"apiKey":"[secret]"}';
  const denied = '{"success":false,"message":"Invalid or expired access token."}';
  expect(bodyOf(200, { ...widgets, more: [{ pin: 1234 }, 'secret'] })).toBeUndefined();
  expect(bodyOf(200, { ...refusal, token: 'x' })).toBe(denied);
  expect(bodyOf(400, { ...refusal, token: 'x' }, { line })).toBe(denied);
  expect(bodyOf(400, { access: 'planted', ends: 60 }, { line })).toBeUndefined();
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

test('a JWT in a refusal is not shown, and a finding has neither known secrets nor control characters', async () => {
  const jwt = ['eyJhbGciOiJub25lIn0', 'eyJzdWIiOiIxIn0', 'c2ln'].join('.');
  expect(bodyOf(403, `see ${jwt}.`, { type: 'text/plain' })).toBe('see [secret].');
  const body = `\u001b[31mCANARY-7f3a9c51\u0007 ${'long '.repeat(200)}`;
  const contract = contractGetting(answer(403, body, { type: 'text/plain' }));
  await contract.refuses({}, 'BEARER-2', contrast);
  const [finding] = contract.record.findings;
  expect(finding?.body).toMatch(/^\ufffd\[31m\[secret\]\ufffd long .*…$/);
  expect(finding?.body?.length).toBeLessThanOrEqual(500);
});
