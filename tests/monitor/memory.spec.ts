import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@playwright/test';
import { aTokenOpensTheEndpoint as opens } from '../../probes/a-token-opens-the-endpoint.ts';
import { nightly } from '../nightly.ts';
import { inMemory, watching } from './in-memory.ts';
import { simulatedTime } from './simulated-time.ts';

nightly();

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** The used heap in MiB after a garbage collection. */
function heapMiB(): number {
  collect();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

test('a provider whose every token is refused costs the monitor no memory from run to run', async () => {
  const time = simulatedTime();
  const provider = inMemory(time);
  let made = 0;
  provider.answer = (line) => {
    if (line !== 'POST /public-api/v1/auth/token')
      return { status: 401, body: Buffer.from('{"success":false,"message":"no"}') };
    const accessToken = `${made++}-`.padEnd(4_000, 'abcdefghij');
    const body = { success: true, message: 'ok', data: { accessToken } };
    return { body: Buffer.from(JSON.stringify(body)) };
  };
  const [endpoint] = provider.target.endpoints;
  const target = { ...provider.target, endpoints: [endpoint] as const, canaries: 'off' as const };
  watching([opens], { time, provider, targets: [target] });
  const runFor = async (minutes: number): Promise<void> => {
    for (let minute = 0; minute < minutes; minute += 1) {
      await time.pass(60_000);
      // The simulated provider's records must not count as memory of the monitor.
      provider.requests.length = provider.shown.length = 0;
    }
  };
  await runFor(120);
  const before = heapMiB();
  const madeBefore = made;
  await runFor(1_200);
  expect(made - madeBefore).toBeGreaterThan(4_000);
  expect(heapMiB() - before, 'MiB').toBeLessThan(2);
});
