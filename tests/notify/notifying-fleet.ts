import type { exchange } from '../../contract/http/transport.ts';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { Notifier } from '../../monitor/notify/notifier.ts';
import {
  type SimulatedFleet,
  type SimulatedMember,
  simulatedFleet,
} from '../fleet/simulated-fleet.ts';
import { alertmanager, configOf } from './receivers.ts';
import { minute } from './stage.ts';

/** A fleet in simulated time, which notifies an Alertmanager about three targets. */
export interface NotifyingFleet {
  readonly fleet: SimulatedFleet;
  /** Starts a monitor, and its notifier. */
  begin(member: SimulatedMember): void;
  /** Ends a monitor as SIGTERM does. */
  drain(member: SimulatedMember): void;
  /** The monitor that watches `target-0` by the database. */
  holder(): SimulatedMember;
  /** The provider of `target-0` answers with another message, or as it should. */
  become(fault?: 'other-message'): void;
}

/** @param networkOn the network to the Alertmanager, by the simulated time since 1970 */
export function notifyingFleet(
  members: number,
  networkOn: (wall: () => number) => typeof exchange,
): NotifyingFleet {
  const fleet = simulatedFleet({ seed: 'notify', members, targets: 3, periodSeconds: 30 });
  const network = networkOn(fleet.time.wall);
  const notifiers = new Map<SimulatedMember, Notifier>();

  function begin(member: SimulatedMember): void {
    member.start();
    const { running, machine } = member;
    if (running === undefined) throw new Error('the member does not run');
    const options = {
      ...{ time: machine, state: running.store, metrics: new Metrics({ version: 'simulated' }) },
      known: () => running.watch.known(),
      log: { note() {}, recovered() {} },
      leaseOf: (target: string) => running.leaseOf(target),
      exchange: network,
    };
    const config = configOf([alertmanager], { resolveAfterMs: 3 * minute });
    const notifier = new Notifier(options, config);
    notifier.start(machine.name);
    notifiers.set(member, notifier);
  }

  for (const member of fleet.members) begin(member);
  return {
    fleet,
    begin,
    drain(member) {
      void notifiers
        .get(member)
        ?.stop()
        .then(() => member.drain());
    },
    holder() {
      const id = fleet.server.leases.get('target-0')?.holder ?? 'none';
      const found = fleet.members.find(({ machine }) => id.startsWith(`${machine.name} `));
      if (found === undefined) throw new Error('no monitor watches the target');
      return found;
    },
    become(fault) {
      fleet.broken.add('ERROR-3');
      fleet.providers.get('target-0')?.become(fault);
    },
  };
}
