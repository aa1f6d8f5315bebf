import { readFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from '../free-port.ts';
import { closingLine, expect, namingWithoutClock, test } from '../gate/process.ts';
import { ours, startNode } from '../process.ts';
import { start } from './verify-process.ts';

const example = ours('pacts/example/provider');
const account = { apiKey: 'Lantern-q7Wd3Xv', secretKey: 'Gravel r5jT9%' };

test('the example of a provider keeps the contract and a pact', async ({ folder, gate }) => {
  const PORT = String(await freePort());
  const { apiKey: API_KEY, secretKey: SECRET_KEY } = account;
  await using server = startNode(example, ['server.ts'], { PORT, API_KEY, SECRET_KEY });
  await server.line(/^listening on port (\d+)$/m);
  const base = new URL(`http://127.0.0.1:${PORT}`);
  const clock = new URL('/test/clock', base).href;
  const settings = { ...namingWithoutClock(base, account), PUBLIC_API_CLOCK_URL: clock };
  expect(closingLine(await gate([], settings))).toContain('✓ Contract holds');
  const pact = ours('pacts/sandbox/widget-report-public-api.json');
  const verified = await start(folder, ['--strict', pact], settings).ended;
  expect(closingLine(verified)).toContain('✓ Every pact is kept · 2 verified · ');
});

test("the provider's workflow names the provider once, and asks before it deploys and records", () => {
  const text = readFileSync(path.join(example, '.github/workflows/contract.yml'), 'utf8');
  const names = text.split('\n').filter((line) => /[ "']public-api(?![-/])/.test(line));
  expect(names).toEqual(['  PACT_PROVIDER_NAME: public-api']);
  const steps = [
    'verify-pacts: true',
    'can-i-deploy --pacticipant',
    'name: Deploy',
    'record-deployment',
  ];
  const places = steps.map((step) => text.indexOf(step));
  expect(places).toEqual(places.toSorted((one, other) => one - other));
  expect(places).not.toContain(-1);
});
