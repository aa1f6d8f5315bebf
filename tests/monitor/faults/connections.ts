import {
  type Answer,
  type Fault,
  headOf,
  lengthOf,
  losing,
  message,
  type Step,
  statusLine,
  transport,
  upTo,
} from './fault.ts';

/** Where a message can be interrupted, and what was sent before. */
const places: readonly (readonly [where: string, sent: (answer: Answer) => Buffer | string])[] = [
  ['before the answer', () => ''],
  ['in the status line', (answer) => statusLine(answer).slice(0, 10)],
  ['in a header', (answer) => `${statusLine(answer)}Content-Ty`],
  ['before the body', (answer) => headOf(answer, lengthOf(answer))],
  ['in the body', (answer) => upTo(0.9, message(answer))],
];

const endings = [
  ['connection reset', 'reset'],
  ['connection closed', 'close'],
  ['nothing more sent', 'hang'],
] as const;

const interrupted: readonly Fault[] = endings.flatMap(([what, end]) =>
  places.map(([where, sent]) =>
    transport(
      `${what} ${where}`,
      (answer) => [sent(answer), end],
      end === 'hang' ? { timesOut: true } : where.endsWith('body') ? {} : { violated: losing },
    ),
  ),
);

/** Sends one byte after the other. */
function* slowly(bytes: Buffer, pauseMs: number): Generator<Step> {
  for (const byte of bytes) {
    yield Buffer.of(byte);
    yield { pauseMs };
  }
}

const slow: readonly Fault[] = [
  transport('answer after 300 ms', (answer) => [{ pauseMs: 300 }, message(answer)]),
  transport('answer in segments of one byte', (answer) => slowly(message(answer), 0)),
  transport('a byte each 100 ms', (answer) => slowly(message(answer), 100), { timesOut: true }),
  transport(
    'a header each 100 ms, without end',
    function* (answer) {
      yield statusLine(answer);
      for (;;) yield* ['X-More: 1\r\n', { pauseMs: 100 }];
    },
    { timesOut: true },
  ),
  transport(
    'body a byte each 100 ms',
    function* (answer) {
      yield headOf(answer, lengthOf(answer));
      yield* slowly(answer.body, 100);
    },
    { timesOut: true },
  ),
];

/** Bytes after a complete answer, or a connection that is closed after it. */
const surplus: readonly Fault[] = [
  transport('reset 50 ms after the answer', (answer) => [
    message(answer),
    { pauseMs: 50 },
    'reset',
  ]),
  transport('connection kept open although it is to be closed', (answer) => [
    message(answer),
    'hang',
  ]),
  transport('a second answer behind the first', (answer) => [
    Buffer.concat([message(answer), message(answer)]),
  ]),
  transport('a second answer, status 500, behind the first', (answer) => [
    Buffer.concat([message(answer), message({ ...answer, status: 500, reason: 'Error' })]),
  ]),
  transport('1 MiB of text behind the answer', (answer) => [
    Buffer.concat([message(answer), Buffer.alloc(1024 * 1024, 'garbage ')]),
  ]),
];

/** Faults of a connection that was accepted. */
export const connectionFaults: readonly Fault[] = [...interrupted, ...slow, ...surplus];
