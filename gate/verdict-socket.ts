import { once } from 'node:events';
import net from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { scratch } from '../contract/round/scratch.ts';
import type { RoundVerdicts } from './round-verdicts.ts';

/*
 * The round runs once, in the process of the gate; each Playwright test requests the verdict on its clause. So
 * probes can share one timeline and one pace, and a failed test, after which Playwright starts another worker,
 * repeats nothing.
 */

/** The environment variable with the address; the gate sets it for the Playwright that it starts. */
export const socketVariable = 'PUBLIC_API_GATE_SOCKET';

/** Where tests request the verdicts. */
export interface VerdictServer {
  /** For `socketVariable`. */
  readonly address: string;
  /** A folder for Playwright's files, which is removed in the end. */
  readonly scratch: string;
  close(): void;
}

/** Sends the verdicts to every test when they are known. */
export async function serveVerdicts(verdicts: Promise<RoundVerdicts>): Promise<VerdictServer> {
  const { folder, address, remove } = scratch('gate');
  const server = net.createServer((socket) => {
    socket.on('error', () => socket.destroy());
    verdicts.then(
      (received) => socket.end(JSON.stringify(received)),
      () => socket.destroy(),
    );
  });
  await once(server.listen(address), 'listening');
  return {
    address,
    scratch: path.join(folder, 'playwright'),
    close() {
      server.close();
      remove();
    },
  };
}

/** Requests the verdicts from the gate, and waits until it has judged. */
export async function requestVerdicts(address: string): Promise<RoundVerdicts> {
  return JSON.parse(await text(net.connect(address)));
}
