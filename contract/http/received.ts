import type { IncomingMessage } from 'node:http';
import type { Answer, Phases } from './answer.ts';
import { decoded } from './coding.ts';
import { Unreachable } from './unreachable.ts';

/** The answer before it is judged. */
export type Received = Omit<Answer, 'request'>;

/** Reads an answer to its end, and decodes its body. @throws Unreachable */
export async function receive(
  response: IncomingMessage,
  maxBytes: number,
  where: string,
  phases: () => Phases,
): Promise<Received> {
  const raw = await readBody(response, maxBytes, where);
  const taken = phases();
  return {
    status: response.statusCode ?? 0,
    httpVersion: response.httpVersion,
    headers: pairs(response.rawHeaders),
    body: await decoded(raw, response.headers['content-encoding'], maxBytes, where),
    phases: taken,
  };
}

/** Node's flat list of names and values, as pairs. */
export const pairs = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index) =>
    index % 2 === 0 ? [[name, raw[index + 1] ?? ''] as [string, string]] : [],
  );

/**
 * Reads at most `maxBytes` bytes. Chunks are copied together as they arrive: a body in chunks of one byte would
 * otherwise become a million objects of more than a kilobyte.
 * @throws Unreachable `too-large`, and what the stream throws
 */
function readBody(response: IncomingMessage, maxBytes: number, where: string): Promise<Buffer> {
  let body: Buffer = Buffer.alloc(0);
  let bytes = 0;
  // Listeners instead of an iterator save a tenth of the whole cost of a request.
  return new Promise((resolve, reject) => {
    response.on('data', (chunk: Buffer) => {
      const before = bytes;
      bytes += chunk.length;
      if (bytes > maxBytes)
        return reject(new Unreachable('too-large', where, `over ${maxBytes} bytes`));
      // Most bodies come in one chunk.
      if (before === 0) body = chunk;
      else {
        if (bytes > body.length) body = grown(body, Math.min(maxBytes, 2 * bytes));
        chunk.copy(body, before);
      }
    });
    response.once('end', () => resolve(body.subarray(0, bytes)));
    response.once('error', reject);
  });
}

function grown(body: Buffer, bytes: number): Buffer {
  const larger = Buffer.allocUnsafe(bytes);
  body.copy(larger);
  return larger;
}
