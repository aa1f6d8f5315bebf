import type { IncomingMessage } from 'node:http';
import type { Answer, Phases } from './answer.ts';
import { decoded } from './coding.ts';
import { readBody } from './read-body.ts';

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
