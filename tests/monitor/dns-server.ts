import dgram from 'node:dgram';
import { once } from 'node:events';

/** The answer of a name server: an address, `none`, `failure`, `refusal`, or no answer at all (`silence`). */
export type DnsAnswer = string;

/** Response codes (RFC 1035 4.1.1). */
const codes: Readonly<Record<string, number>> = { failure: 2, none: 3, refusal: 5 };

/** A name server on its own port, for IPv4 addresses. */
export interface DnsServer {
  /** In the format of `Resolver.setServers`. */
  readonly address: string;
  /** Every name whose IPv4 address was requested. */
  readonly requests: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

export async function startDns(answerTo: (name: string) => DnsAnswer): Promise<DnsServer> {
  const queries: string[] = [];
  const socket = dgram.createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const { name, type, end } = questionOf(query);
    if (type === 1) queries.push(name);
    const answer = answerTo(name);
    if (answer !== 'silence')
      socket.send(reply(query.subarray(0, end), type, answer), port, address);
  });
  await once(socket.bind(0, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    requests: queries,
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}

/** The only question of a query (RFC 1035 4.1.2), and the position of its end. */
function questionOf(query: Buffer) {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** A reply with one A record or none. There are no AAAA records. */
function reply(query: Buffer, type: number, answer: DnsAnswer): Buffer {
  const code = codes[answer];
  const hasRecord = type === 1 && code === undefined;
  const head = Buffer.from(query);
  head[2] = 0x81;
  head[3] = 0x80 | (code ?? 0);
  head.writeUInt16BE(hasRecord ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  const record = [0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...answer.split('.').map(Number)];
  return hasRecord ? Buffer.concat([head, Buffer.from(record)]) : head;
}
