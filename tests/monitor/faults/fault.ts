/** The three kinds of request that a fault is applied to. Each gets a provider of its own. */
export const requestKinds = ['token', 'admitted', 'refused'] as const;
export type RequestKind = (typeof requestKinds)[number];

export type Header = readonly [name: string, value: string];

/** The correct answer to a request, before a fault changes it. */
export interface Answer {
  readonly status: number;
  readonly reason: string;
  /** Without those that frame the body. */
  readonly headers: readonly Header[];
  readonly body: Buffer;
}

/** What the server does on the socket: send bytes, wait, or end the connection in one of three ways. */
export type Step =
  | Buffer
  | string
  | { readonly pauseMs: number }
  | 'reset'
  | 'close'
  /** Keeps the connection open and sends nothing more. */
  | 'hang';

/** One fault of the network or of HTTP. It is the same for every request of its kind. */
export interface Fault {
  /** The first column of the table. */
  readonly name: string;
  /** The steps for a request; after the last one the connection stays open only if the client wants to keep it. */
  readonly steps: (answer: Answer) => Iterable<Step>;
  /** The kinds of request that it makes sense for; all unless stated. */
  readonly kinds?: readonly RequestKind[];
  /** Its answers are so large that fewer probes are run. */
  readonly large?: true;
  /** Its requests end by their timeout, so it is short. */
  readonly timesOut?: true;
}

/** A fault of the transport. */
export const transport = (
  name: string,
  steps: Fault['steps'],
  more: Partial<Pick<Fault, 'timesOut' | 'kinds'>> = {},
): Fault => ({ name, steps, ...more });

/** A complete HTTP answer that differs from the correct one. */
export const altered = (name: string, change: (answer: Answer) => Partial<Answer>): Fault => ({
  name,
  steps: (answer) => [message({ ...answer, ...change(answer) })],
});

/** Another status line and header section, with the correct body behind it in one piece. */
export const headed = (name: string, head: (answer: Answer) => string) => ({
  name,
  steps: (answer: Answer) => [head(answer), answer.body],
});

export const statusLine = ({ status, reason }: Answer): string =>
  `HTTP/1.1 ${status} ${reason}\r\n`;

export const fieldLines = (headers: readonly Header[]): string =>
  headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');

export const lengthFor = ({ body }: Answer): Header => ['Content-Length', String(body.length)];

/** The status line and the header section, with these headers in addition. */
export const formatHead = (answer: Answer, ...more: readonly Header[]): string =>
  `${statusLine(answer)}${fieldLines([...answer.headers, ...more])}\r\n`;

/** The complete message, framed by its length. */
export const message = (answer: Answer): Buffer =>
  Buffer.concat([Buffer.from(formatHead(answer, lengthFor(answer)), 'latin1'), answer.body]);

/** The bytes up to this part of them, between 0 and 1. */
export const upTo = (part: number, bytes: Buffer): Buffer =>
  bytes.subarray(0, Math.floor(bytes.length * part));

/** An envelope as JSON, with these members in addition or instead. */
export function withMembers({ body }: Answer, members: Readonly<Record<string, unknown>>): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ...members }));
}

export const mebibyte = 1024 * 1024;
