import type { exchange } from '../../contract/http/transport.ts';
import type { ReceiverConfig } from '../../monitor/config/notify.ts';
import { Metrics } from '../../monitor/metrics/metrics.ts';
import { Notifier } from '../../monitor/notify/notifier.ts';
import {
  type FleetOptions,
  type SimulatedFleet,
  type SimulatedMember,
  simulatedFleet,
} from '../fleet/simulated-fleet.ts';
import { configOf } from './receivers.ts';
import { minute } from './stage.ts';

/** A fleet in simulated time whose members notify a receiver. */
export interface NotifyingFleet extends SimulatedFleet {
  /** The monitor that watches `target-0` by the database. */
  holder(): SimulatedMember;
  /** The provider of `target-0` answers with another message, or as it should. */
  become(fault?: 'other-message'): void;
}

/** @param networkOn the network to the receiver, by the simulated time since 1970 */
export function notifyingFleet(
  options: FleetOptions,
  receiver: ReceiverConfig,
  networkOn: (wall: () => number) => typeof exchange,
): NotifyingFleet {
  const config = configOf([receiver], { resolveAfterMs: 3 * minute });
  const fleet = simulatedFleet({
    ...options,
    beside(running, machine, { wall }) {
      const notifier = new Notifier(
        {
          time: machine,
          state: running.store,
          exchange: networkOn(wall),
          metrics: new Metrics({ version: 'simulated' }),
          known: () => running.watch.known(),
          log: { note() {}, recovered() {} },
          leaseOf: (target) => running.leaseOf(target),
          isStored: (...message) => running.hasMessage(...message),
        },
        config,
      );
      notifier.start(machine.name);
      return () => notifier.stop();
    },
  });
  fleet.broken.add('ERROR-3');
  return {
    ...fleet,
    holder() {
      const id = fleet.server.leases.get('target-0')?.holder ?? 'none';
      const found = fleet.members.find(({ machine }) => id.startsWith(`${machine.name} `));
      if (found === undefined) throw new Error('no monitor watches the target');
      return found;
    },
    become: (fault) => fleet.providers.get('target-0')?.become(fault),
  };
}
