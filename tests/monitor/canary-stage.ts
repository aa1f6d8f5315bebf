import type { MustId } from '../../contract/clauses.ts';
import { CanaryKeeper, type DueCanary } from '../../monitor/canary/keeper.ts';
import { SeenTokens } from '../../monitor/canary/seen-tokens.ts';
import { Loop } from '../../monitor/loop/loop.ts';
import { maintenanceIn } from '../../monitor/loop/maintenance.ts';
import { openTracedClient } from '../../monitor/round/traced-client.ts';
import type { WatchedTarget } from '../../monitor/round/watched-target.ts';
import { reduceCheck } from '../../monitor/status/reduce.ts';
import { clausesWith, newStatus } from '../../monitor/status/status.ts';
import { type InMemory, inMemory } from './service-in-memory.ts';
import { simulatedTime } from './simulated-time.ts';

const nothing = (): undefined => {};

interface Changes extends Partial<WatchedTarget> {
  /** Replaces the provider's network. */
  readonly exchange?: InMemory['exchange'];
}

/**
 * The canaries of one target on simulated time, at a provider that keeps the contract by default, and the target's
 * status. Every hour a round requests a token too. `start` starts the monitor's process, or starts it again: the
 * state file stays.
 */
export function keepingCanaries(everySeconds = 4 * 3600) {
  const time = simulatedTime();
  const provider = inMemory(time);
  const usual = { ...provider.target, canaries: { everySeconds } };
  const rows = new Map<string, string>();
  const logged: string[] = [];
  let status = newStatus(usual.name, 'http://in-memory/', time.wall());
  let keeper: CanaryKeeper | undefined;
  let stop = (): void => {};

  function start({ exchange = provider.exchange, ...changes }: Changes = {}): void {
    stop();
    time.kill();
    const target: WatchedTarget = { ...usual, ...changes };
    const tokens = new SeenTokens(time, () => []);
    const openClient = openTracedClient(target, {
      time,
      exchange,
      remembered: tokens,
    });
    const loop = new Loop({
      periodMs: 3_600_000,
      offsetMs: 0,
      time,
      // As a round does, which also looks whether the token works.
      run: () => openClient().client.issue(target.account).then(nothing, nothing),
      onMissed: () => {},
    });
    const canaries = new CanaryKeeper(target, {
      rows: {
        saved: new Map([...rows].map(([id, row]) => [id, JSON.parse(row)])),
        save: (id, row) =>
          row === undefined ? rows.delete(id) : rows.set(id, JSON.stringify(row)),
      },
      time,
      openClient,
      tokens,
      endsAnother: () => status.clauses['EXPIRY-4'].verdict === 'violated',
      plan: (due) => loop.at(due.at, () => run(due)),
      log: { warn: (line) => void logged.push(line) },
    });
    const plan = { places: [], probes: [], hasCanaries: target.canaries !== 'off' };
    const run = async (due: DueCanary): Promise<void> => {
      const result = await canaries.run(due);
      const inMaintenance = maintenanceIn(target.maintenance, time.wall()) !== undefined;
      if (result !== undefined) status = reduceCheck(status, result, plan, inMaintenance);
    };
    stop = () => canaries.touch();
    keeper = canaries;
    canaries.begin();
    loop.start();
  }

  return {
    time,
    provider,
    target: usual,
    rows,
    logged,
    start,
    status: () => status,
    checks: () => status.checks,
    token: () => {
      if (keeper === undefined) throw new Error('not started');
      return keeper.status();
    },
    canaries: () => keeper?.status().canaries,
    verdict: (clause: MustId) => status.clauses[clause].verdict,
    violated: () => clausesWith(status, 'violated').map(({ id }) => id),
  };
}
