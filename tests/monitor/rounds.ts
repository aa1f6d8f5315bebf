import type { Probe } from '../../contract/probe.ts';
import { runRound } from '../../monitor/round/round.ts';
import type { Run } from '../../monitor/round/run.ts';
import { openTracedClient } from '../../monitor/round/traced-client.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { startProvider } from './provider.ts';

const realTime = { wall: Date.now, monotonic: Date.now, uptime: Date.now };

/** Rounds on the first endpoint of a target, each with what the one before it has shown. */
export function roundsOn(target: WatchedTarget, time = realTime) {
  const open = openTracedClient(target);
  let haveWorked = false;
  return async (...probes: readonly Probe[]) => {
    const runs: Run[] = [];
    const [endpoint] = target.endpoints;
    const due = probes.map((probe) => ({
      place: { key: probe.name, probe, endpoint, everySeconds: 60 },
    }));
    const round = await runRound(target, due, {
      open,
      time,
      haveWorked,
      disturbed: () => undefined,
      onRun: (run) => void runs.push(run),
    });
    haveWorked = round.haveWorked;
    const [run] = runs;
    if (run === undefined) throw new Error('nothing ran');
    return { ...round, runs, run };
  };
}

/** A provider, and rounds of it; the test advances their clock. */
export async function running() {
  const provider = await startProvider();
  let now = 0;
  const time = { wall: Date.now, monotonic: () => now, uptime: () => now };
  const round = roundsOn(provider.target, time);
  return {
    provider,
    round,
    run: async (probe: Probe) => (await round(probe)).run,
    pass(ms: number) {
      now += ms;
    },
    [Symbol.asyncDispose]: provider.close,
  };
}
