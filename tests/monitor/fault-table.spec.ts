import { readFileSync } from 'node:fs';
import { findPart } from '../../tools/docs/markdown.ts';
import { fromRoot } from '../process.ts';
import { isSampled } from '../sample.ts';
import { expect, test } from '../test.ts';
import { earlyFaults, startEarlyFaults } from './faults/before-request.ts';
import { type RequestKind, requestKinds } from './faults/fault.ts';
import { type FaultCase, families, faultCases } from './faults/index.ts';
import { startFaultServer } from './faults/server.ts';
import { connectionFaults, framingFaults } from './faults/transport.ts';
import { startRound } from './probe-process.ts';
import { account, targetAt, tokenMark } from './provider.ts';

/** The rows of the tables in `monitor/README.md`, by the fault. */
const rows = new Map(
  findPart(readFileSync(fromRoot('monitor/README.md'), 'utf8'), 'faults')
    .split('\n')
    .map((row) => row.split(' | ').map((cell) => cell.replaceAll(/^\| | \|$/g, '')))
    .map(([fault, ...cells]) => [fault, cells]),
);

/** A night tries each fault with each kind of request, `npm test` a third of these cases. */
const tried = faultCases.filter(({ fault, kind }) => isSampled(`${fault.name} ${kind}`, 3));

/** The fewest probes that send each kind of request. */
const leastProbes = [
  'right-credentials-get-a-token',
  'a-token-opens-the-endpoint',
  'every-endpoint-is-guarded',
];

/** The probes that check the whole answer. */
const contentProbes: Readonly<Record<RequestKind, string>> = {
  token: 'any-spelling-of-the-json-gets-a-token',
  admitted: 'open-facts-of-the-endpoints',
  refused: 'every-cause-gets-the-same-401',
};

function probesFor({ fault, kind }: FaultCase): readonly string[] {
  if (fault.large === true) return leastProbes;
  const isAboutConnections = [...connectionFaults, ...framingFaults].includes(fault);
  // It keeps connections open. Bytes that a fault leaves on one must not become the answer to the next request.
  return [
    ...leastProbes,
    isAboutConnections ? 'an-earlier-request-is-no-way-in' : contentProbes[kind],
  ];
}

/** A cell of a table: what a round on this address reports. */
async function reported(url: URL, words: readonly string[], timesOut = false): Promise<string> {
  const target = targetAt(url);
  const [endpoint] = target.endpoints;
  const connection = { origin: url, timeoutMs: timesOut ? 500 : 20_000, maxBodyBytes: 1024 * 1024 };
  const reasons = new Set<string>();
  const round = await startRound(
    { ...target, connection, endpoints: [endpoint] },
    { onRun: ({ reason = 'contract' }) => reasons.add(reason) },
    ...words,
  );
  const shown = JSON.stringify(round);
  for (const secret of [account.apiKey, account.secretKey, tokenMark])
    expect(shown).not.toContain(secret);
  const violated = round.clauses.filter(({ verdict }) => verdict === 'violated');
  if (violated.length > 0)
    return `**violated**: ${violated.map(({ clause }) => clause.id).join(', ')}`;
  reasons.delete('contract');
  if (reasons.size > 0) return `not judged: ${[...reasons].sort().join(', ')}`;
  const isProven = round.results.every(({ unproven }) => unproven === undefined);
  return isProven ? 'holds' : 'not judged: proves nothing';
}

/** Does the work for each item, some at a time. */
async function each<Item>(items: readonly Item[], work: (item: Item) => Promise<void>) {
  const left = items.values();
  const worker = async () => {
    for (const item of left) await work(item);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

test('a fault before any request is reported as the table says', async () => {
  await using early = await startEarlyFaults();
  const found = new Map<string, readonly string[]>();
  await each([...earlyFaults.entries()], async ([index, { name, timesOut }]) => {
    found.set(name, [await reported(new URL(early.urls[index] ?? ''), leastProbes, timesOut)]);
  });
  for (const { name } of earlyFaults) expect.soft(found.get(name), name).toEqual(rows.get(name));
});

for (const [title, faults] of families)
  test(`each fault is reported as the table says: ${title}`, async () => {
    await using server = await startFaultServer();
    const found = new Map<string, string>();
    await each(
      tried.filter(({ fault }) => faults.includes(fault)),
      async (each) => {
        const url = new URL(each.at, server.origin);
        found.set(each.at, await reported(url, probesFor(each), each.fault.timesOut));
      },
    );
    for (const fault of faults) {
      const told = rows.get(fault.name);
      const cells = requestKinds.map((kind, index) => {
        const each = faultCases.find((other) => other.fault === fault && other.kind === kind);
        return each === undefined ? '—' : (found.get(each.at) ?? told?.[index]);
      });
      expect.soft(cells, fault.name).toEqual(told);
    }
    expect(server.redirected(), 'redirects that were followed').toBe(0);
  });
