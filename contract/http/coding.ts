import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { Unreachable } from './unreachable.ts';

/** The content codings (RFC 9110 8.4.1) that the client accepts. */
export const acceptable = 'gzip, deflate, br';

const decoders = {
  gzip: promisify(zlib.gunzip),
  'x-gzip': promisify(zlib.gunzip),
  deflate: promisify(zlib.inflate),
  br: promisify(zlib.brotliDecompress),
};

/**
 * Decompresses a body to at most `maxBytes` bytes. An empty body (HEAD, 204, 304) has nothing to decompress. An
 * unknown coding on plain text (`Content-Encoding: utf-8`) is ignored, as all clients do.
 * @throws Unreachable `protocol` when the coding is unknown; also errors of node:zlib, which `reasonOf` knows
 */
export async function decoded(
  body: Buffer,
  contentEncoding: string | undefined,
  maxBytes: number,
  where: string,
): Promise<Buffer> {
  const coding = contentEncoding?.trim().toLowerCase() ?? 'identity';
  if (body.length === 0 || coding === 'identity') return body;
  if (Object.hasOwn(decoders, coding))
    return decoders[coding as keyof typeof decoders](body, { maxOutputLength: maxBytes });
  if (isUtf8(body)) return body;
  throw new Unreachable('protocol', where, 'an unknown Content-Encoding');
}
