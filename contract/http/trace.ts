import { randomFillSync } from 'node:crypto';
import type { CallOptions } from './request.ts';
import type { HttpRequest } from './request-encoding.ts';

/**
 * A trace of its own for each request (W3C Trace Context): the provider's team finds it by the id in their logs. The
 * flag *sampled* is not set: it says that the caller records a span, which this suite does not, and it would make
 * providers record one for each of a thousand requests.
 */
export interface Trace {
  /** 32 hexadecimal digits. */
  readonly id: string;
  readonly traceparent: string;
}

/** Bytes of the id of a trace, and of the id of the caller's span. */
const [idBytes, spanBytes] = [16, 8];

/** To ask for many random bytes at once costs a tenth of what it costs to ask for each id. */
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

/** The headers of a request in a new trace, unless it has one of its own or is to have none; and the trace's id. */
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
