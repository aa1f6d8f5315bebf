import { ownSandbox } from '../../gate/own-sandbox.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import type { Fault } from '../../tests/faults/fault.ts';
import { atRandom, behindOneAddress, secondServers } from '../../tests/faults/two-servers.ts';
import { judgeProvider } from '../../tests/judge/judge-provider.ts';
import type { Rows } from './table.ts';

const rounds = 50;

/** An ordinary moment, so that no date influences the findings. */
const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);

/** Whether the gate finds the fault of one of two servers. Requests are distributed at random between the servers. */
async function isFound(second: Fault, seed: number): Promise<boolean> {
  const behaviour = { ...right, ...behindOneAddress([{}, second], atRandom(seed)) };
  await using sandbox = await ownSandbox({ behaviour, startAt });
  const [endpoint] = sandbox.target.endpoints;
  const { clauses } = await judgeProvider({ ...sandbox.target, endpoints: [endpoint] }, probes);
  const [own] = [second.breaks].flat();
  return clauses.some(({ clause, verdict }) => clause.id === own && verdict === 'violated');
}

/** How often the gate misses each of these faults, and the one that it misses most often. */
async function measure() {
  const missed: { name: string; times: number }[] = [];
  for (const [name, second] of Object.entries(secondServers)) {
    let times = 0;
    for (let seed = 1; seed <= rounds; seed++) if (!(await isFound(second, seed))) times += 1;
    missed.push({ name, times });
  }
  const value = Math.max(...missed.map(({ times }) => times));
  return { value, note: missed.map(({ name, times }) => `${name} ${times}`).join(', ') };
}

export const ofTwoServers: Rows = {
  servers: {
    what: `rounds of ${rounds} in which the gate misses the fault of one of two servers, at most`,
    unit: 'rounds',
    most: rounds / 10,
    measure,
  },
};
