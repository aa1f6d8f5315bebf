import { expect, test } from '@playwright/test';
import { openStateStore } from '../../monitor/state/state.ts';
import { down } from '../monitor/in-memory.ts';
import { needs } from '../programs.ts';
import { type RealAlertmanager, startRealAlertmanager } from './real-alertmanager.ts';
import { alertmanager, configOf } from './receivers.ts';
import { minute, second, stage } from './stage.ts';

needs('alertmanager');

const config = configOf([alertmanager]);
const broken = 'ContractMonitorUnauthorisedRequestAdmitted under-test BEARER-2';
const unreachable = 'ContractMonitorProviderUnreachable under-test';

/** Advances simulated time until a user has seen exactly these notifications. */
async function untilSeen(
  { seen }: RealAlertmanager,
  pass: (ms: number) => Promise<void>,
  expected: readonly string[],
): Promise<void> {
  const look = async (): Promise<string[]> => {
    await pass(second);
    return seen();
  };
  await expect.poll(look, { timeout: 240_000, intervals: [100] }).toEqual(expected);
}

test('each event is seen once over restarts of the monitor', async () => {
  await using real = await startRealAlertmanager();
  const file = test.info().outputPath('monitor.sqlite');
  let state = openStateStore(file);
  let problem: string | undefined;
  const withProblem = () => ({ ...state, problem: () => problem });
  const one = stage({ config, state: withProblem() });
  const { time, provider, admit, inbox } = one;
  inbox.exchange = real.networkOn(time.wall);
  const pass = real.passing(time);
  function restart(): void {
    state.close();
    state = openStateStore(file);
    one.restart(withProblem());
  }
  const breakDown = (): void => {
    provider.answer = down;
  };
  const fill = (why: string | undefined): void => {
    problem = why;
  };
  restart();
  await pass(3 * minute);
  const expected: string[] = [];
  const notWritable = 'ContractMonitorStateNotWritable';
  for (const [name, begin, end] of [
    [broken, () => admit(true), () => admit(false)],
    [unreachable, () => breakDown(), () => admit(false)],
    [notWritable, () => fill('disk full'), () => fill(undefined)],
  ] as const) {
    begin();
    await pass(8 * minute);
    expected.push(`firing ${name}`);
    await untilSeen(real, pass, expected);
    if (name !== notWritable) restart();
    await pass(5 * minute);
    end();
    if (name !== notWritable) restart();
    await pass(20 * minute);
    expected.push(`resolved ${name}`);
    await untilSeen(real, pass, expected);
  }
  await pass(60 * minute);
  expect(real.seen()).toEqual(expected);
  state.close();
});

test('each event is seen once over outages of the Alertmanager, also one that is over by then', async () => {
  await using real = await startRealAlertmanager();
  const one = stage({ config });
  const { time, provider, admit, inbox } = one;
  inbox.exchange = real.networkOn(time.wall);
  one.restart();
  const pass = real.passing(time);
  await pass(3 * minute);
  admit(true);
  await pass(2 * minute);
  await untilSeen(real, pass, [`firing ${broken}`]);
  await real.stop();
  provider.answer = down;
  await pass(10 * minute);
  admit(true);
  await pass(10 * minute);
  expect(one.notifier.status()?.receivers[0]?.waiting).toBe(2);
  await real.start();
  // The clause is still violated. The provider's outage began and ended while Alertmanager was stopped.
  await untilSeen(real, pass, [`firing ${broken}`, `firing ${unreachable}`]);
  const beforeEnd = real.seen();
  await pass(2 * minute);
  await untilSeen(real, pass, [...beforeEnd, `resolved ${unreachable}`]);
  admit(false);
  await pass(20 * minute);
  const all = [...beforeEnd, `resolved ${unreachable}`, `resolved ${broken}`];
  await untilSeen(real, pass, all);
  await pass(60 * minute);
  expect(real.seen()).toEqual(all);
});
