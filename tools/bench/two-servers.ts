import { ownSandbox } from '../../gate/own-sandbox.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import type { Fault } from '../../tests/faults/fault.ts';
import { atRandom, behindOneAddress, secondServers } from '../../tests/faults/two-servers.ts';
import { judgeProvider } from '../../tests/judge/judge-provider.ts';
import { type Figure, limited } from './figure.ts';
import type { Measures } from './selection.ts';

const rounds = 50;

/** An ordinary moment, so that no date influences the findings. */
const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);

/** The clauses that one round of the gate reports as violated, with one endpoint. */
async function violatedBy(second: Fault, seed: number): Promise<string[]> {
  const behaviour = { ...right, ...behindOneAddress([{}, second], atRandom(seed)) };
  await using sandbox = await ownSandbox({ behaviour, startAt });
  const { target } = sandbox;
  const [endpoint] = target.endpoints;
  const round = await judgeProvider({ ...target, endpoints: [endpoint] }, probes);
  return round.clauses
    .filter(({ verdict }) => verdict === 'violated')
    .map(({ clause }) => clause.id);
}

/** How often the gate misses a fault of one of two servers. Requests are distributed at random between the servers. */
async function missed(name: string, second: Fault): Promise<Figure> {
  const [own = 'no clause'] = [second.breaks].flat();
  const found = new Map<string, number>();
  for (let seed = 1; seed <= rounds; seed++)
    for (const id of await violatedBy(second, seed)) found.set(id, (found.get(id) ?? 0) + 1);
  const times = rounds - (found.get(own) ?? 0);
  const violated = [...found].map(([id, count]) => `${id} ${count}`).join(', ');
  return limited(
    `${name}: rounds of ${rounds} in which ${own} is not found violated`,
    `${times} (violated: ${violated})`,
    { measured: times, most: rounds / 10, unit: '' },
  );
}

/** The findings of the gate if only one of two servers is faulty. */
export const ofTwoServers: Measures = Object.fromEntries(
  Object.entries(secondServers).map(([name, second]) => [name, () => missed(name, second)]),
);
