import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { altered, type Fault, mebibyte, notTheEnvelope, type Violated } from './fault.ts';

/** A body with a Content-Encoding, which may not match it. */
const coded = (
  name: string,
  coding: string | undefined,
  code: (body: Buffer) => Buffer,
  violated: Violated = {},
): Fault =>
  altered(
    name,
    ({ headers, body }) => ({
      headers: coding === undefined ? headers : [...headers, ['Content-Encoding', coding]],
      body: code(body),
    }),
    violated,
  );

const wrongChecksum = (body: Buffer): Buffer => {
  const bytes = gzipSync(body);
  bytes.writeUInt32LE(1, bytes.length - 8);
  return bytes;
};

/** Compressed when it is first sent, and kept: it takes a while. */
const once = (code: () => Buffer): (() => Buffer) => {
  let coded: Buffer | undefined;
  return () => (coded ??= code());
};

const bomb = once(() => gzipSync(Buffer.alloc(64 * mebibyte)));
// The highest quality, the default, takes a second, and as many bytes.
const brotliBomb = once(() =>
  brotliCompressSync(Buffer.alloc(64 * mebibyte), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 4 },
  }),
);

/** Faults of the Content-Encoding (RFC 9110 8.4). */
export const codingFaults: readonly Fault[] = [
  coded('gzip', 'gzip', (body) => gzipSync(body)),
  coded('deflate', 'deflate', (body) => deflateSync(body)),
  coded('br', 'br', (body) => brotliCompressSync(body)),
  coded('gzip that is cut', 'gzip', (body) => gzipSync(body).subarray(0, -12)),
  coded('gzip with a wrong checksum', 'gzip', wrongChecksum),
  coded('gzip with text behind it', 'gzip', (body) =>
    Buffer.concat([gzipSync(body), Buffer.from('text')]),
  ),
  coded('gzip of 64 MiB in 64 KiB', 'gzip', bomb),
  coded('br of 64 MiB in 100 bytes', 'br', brotliBomb),
  coded('gzip, and gzip again', 'gzip, gzip', (body) => gzipSync(gzipSync(body))),
  coded('says gzip, is plain', 'gzip', (body) => body),
  coded('says br, is gzip', 'br', (body) => gzipSync(body)),
  coded('says deflate, is raw deflate', 'deflate', (body) => deflateRawSync(body)),
  coded('says nothing, is gzip', undefined, (body) => gzipSync(body), notTheEnvelope),
  coded('says zstd, is binary', 'zstd', () => Buffer.from('28b52ffd04000000ff', 'hex')),
  coded('says utf-8, is plain', 'utf-8', (body) => body),
  coded('says gzip, is empty', 'gzip', () => Buffer.alloc(0), notTheEnvelope),
];
