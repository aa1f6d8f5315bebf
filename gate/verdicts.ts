import net from 'node:net';
import path from 'node:path';
import { scratch } from '../contract/round/scratch.ts';
import type { RoundVerdicts } from './round-verdicts.ts';

/*
 * The round runs once, in the gate's process; each Playwright test asks for the verdict on its clause. So probes can
 * share one timeline and one pace, and a failed test, after which Playwright starts another worker, repeats nothing.
 */

/** Where tests ask for the hearing. */
export interface Verdicts {
  /** For `socketVariable`. */
  readonly address: string;
  /** A folder that is removed in the end, for whatever Playwright puts down. */
  readonly scratch: string;
  close(): void;
}

/** Answers every test with the hearing as soon as there is one. */
export async function serve(roundVerdicts: Promise<RoundVerdicts>): Promise<Verdicts> {
  const { folder, address, remove } = scratch('gate');
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    roundVerdicts.then(
      (received) => socket.end(JSON.stringify(received)),
      () => socket.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(address, resolve);
  });
  return {
    address,
    scratch: path.join(folder, 'playwright'),
    close() {
      server.close();
      remove();
    },
  };
}
