import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { failureText } from './report/failure.ts';
import type { Report } from './report/report.ts';

/*
 * The round runs once, in the gate's process; each Playwright test asks for the verdict on its clause. So probes can
 * share one timeline and one pace, and a failed test, after which Playwright starts another worker, repeats nothing.
 */

/** Where the tests ask; set by the gate for the Playwright that it starts. */
export const socketVariable = 'PUBLIC_API_GATE_SOCKET';

/** The verdict on one clause, as a test reads it. */
export interface Told {
  readonly id: string;
  readonly verdict: 'holds' | 'violated' | 'unverified';
  /** The reason, or the failure in full. */
  readonly why: string;
}

/** What a test can know of a round. */
export interface Hearing {
  readonly verdicts: readonly Told[];
  readonly unjudged?: string;
}

/** What a report says on each clause. */
export function hearingOf(report: Report): Hearing {
  const verdicts = report.clauses.map((verdict) => ({
    id: verdict.clause.id,
    verdict: verdict.verdict,
    why:
      verdict.verdict === 'violated'
        ? failureText(verdict, report.again, { folds: 5, length: 2000 })
        : (verdict.reason ?? ''),
  }));
  return { verdicts, ...(report.unjudged === undefined ? {} : { unjudged: report.unjudged }) };
}

/** Answers every test with the hearing as soon as there is one. @returns the address for `socketVariable` */
export async function serve(
  hearing: Promise<Hearing>,
): Promise<{ readonly address: string; readonly close: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'gate-'));
  const address =
    process.platform === 'win32' ? `\\\\.\\pipe\\${path.basename(folder)}` : path.join(folder, 's');
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    hearing.then(
      (heard) => socket.end(JSON.stringify(heard)),
      () => socket.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(address, resolve);
  });
  return {
    address,
    close: async () => {
      server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Asks the gate, and waits until it has judged. */
export async function ask(address: string): Promise<Hearing> {
  return JSON.parse(await text(net.connect(address)));
}
