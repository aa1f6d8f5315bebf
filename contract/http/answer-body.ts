import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { Unreachable } from './unreachable.ts';

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
export function readBody(
  response: IncomingMessage,
  maxBytes: number,
  where: string,
): Promise<Buffer> {
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
        if (bytes > body.length)
          body = Buffer.concat([body.subarray(0, before)], Math.min(maxBytes, 2 * bytes));
        chunk.copy(body, before);
      }
    });
    response.once('end', () => resolve(body.subarray(0, bytes)));
    response.once('error', reject);
  });
}

/** The content codings (RFC 9110 8.4.1) that the client accepts. */
export const acceptEncoding = 'gzip, deflate, br';

const decoders = new Map([
  ['gzip', promisify(zlib.gunzip)],
  ['x-gzip', promisify(zlib.gunzip)],
  ['deflate', promisify(zlib.inflate)],
  ['br', promisify(zlib.brotliDecompress)],
]);

/**
 * Decompresses a body to at most `maxBytes` bytes. An empty body (HEAD, 204, 304) has nothing to decompress. An
 * unknown coding on plain text (`Content-Encoding: utf-8`) is ignored, as all clients do.
 * @throws Unreachable `protocol` when the coding is unknown; also errors of node:zlib, which `reasonOf` knows
 */
export async function decode(
  body: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
  where: string,
): Promise<Buffer> {
  const coding = contentEncoding?.trim().toLowerCase() ?? 'identity';
  if (body.length === 0 || coding === 'identity') return body;
  const decoder = decoders.get(coding);
  if (decoder !== undefined) return decoder(body, { maxOutputLength: maxBytes });
  if (isUtf8(body)) return body;
  throw new Unreachable('protocol', where, 'an unknown Content-Encoding');
}
