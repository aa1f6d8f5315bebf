import { bodyFaults, largeFaults, statusFaults } from './answers.ts';
import { type Fault, type RequestKind, requestKinds } from './fault.ts';
import { codingFaults, connectionFaults, framingFaults, headerFaults } from './transport.ts';

/** All faults of a request, in the order of the table. */
export const families: readonly (readonly [title: string, faults: readonly Fault[]])[] = [
  ['Connection', connectionFaults],
  ['Status line and headers', headerFaults],
  ['Length, chunks and interim answers', framingFaults],
  ['Content coding', codingFaults],
  ['Status', statusFaults],
  ['Body', bodyFaults],
  ['Large bodies', largeFaults],
];

/** A fault as it is applied to one kind of request, and the first segment of the path at which it is. */
export interface FaultCase {
  readonly at: string;
  readonly fault: Fault;
  readonly kind: RequestKind;
}

/** Every fault with each kind of request that it makes sense for. */
export const faultCases: readonly FaultCase[] = families
  .flatMap(([, faults]) => faults)
  .flatMap((fault, index) =>
    (fault.kinds ?? requestKinds).map((kind) => ({ at: `f${index}-${kind}`, fault, kind })),
  );
