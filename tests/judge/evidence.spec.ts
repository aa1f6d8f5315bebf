import { expect, test } from '@playwright/test';
import { evidenceOf } from '../../contract/evidence.ts';
import { answer, context, refusal, widgets } from './answers.ts';

const bodyOf = (...of: Parameters<typeof answer>): string | undefined =>
  evidenceOf(answer(...of)).body;

test('the body of a refusal is shown as one line', () => {
  expect(bodyOf(403, { error: 'forbidden', code: 7 })).toBe('{"error":"forbidden","code":7}');
  expect(bodyOf(502, '<h1>Bad\n  Gateway</h1>\n', { type: 'text/html' })).toBe(
    '<h1>Bad Gateway</h1>',
  );
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
    expect(bodyOf(status, { access_token: 'planted', expires: 60 }, { line })).toBe(
      '{"access_token":"…","expires":0}',
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
