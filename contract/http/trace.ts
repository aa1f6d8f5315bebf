import { randomFillSync } from 'node:crypto';
import type { HttpRequest } from './http-request.ts';
import type { CallOptions } from './request.ts';

/**
 * Each request has its own trace (W3C Trace Context), by whose id the provider's team finds it in their logs. The
 * flag *sampled* is not set: it states that the caller records a span, which this suite does not. It would also make
 * providers record a span for each of a thousand requests.
 */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly traceparent: string;
}

/** Bytes of the id of a trace, and of the id of the caller's span. */
const idBytes = 16;
const spanBytes = 8;

/** Requesting many random bytes at once costs a tenth of requesting them for each id. */
const pool = Buffer.alloc(256 * (idBytes + spanBytes));
let used = pool.length;

/** @param random 24 random bytes, whose memory may be used again */
export function newTrace(random = pooled): Trace {
  const digits = random().toString('hex');
  const id = digits.slice(0, 2 * idBytes);
  return { id, traceparent: `00-${id}-${digits.slice(2 * idBytes)}-00` };
}

function pooled(): Buffer {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes + spanBytes;
  return pool.subarray(used - idBytes - spanBytes, used);
}

/** A request's headers in a new trace, and its id; unchanged if it has its own trace or must not have one. */
export function traced(
  { headers }: Pick<HttpRequest, 'headers'>,
  { without }: Pick<CallOptions, 'without'>,
  make: () => Trace = newTrace,
): Pick<HttpRequest, 'headers'> & { readonly trace?: string } {
  const isOwn = headers.some(([name]) => name.toLowerCase() === 'traceparent');
  if (isOwn || without?.includes('traceparent')) return { headers };
  const { id, traceparent } = make();
  return { trace: id, headers: [...headers, ['traceparent', traceparent]] };
}
