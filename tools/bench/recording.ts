import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Behaviour, type Call, right } from '../../sandbox/behaviour.ts';

/** A request that the provider has received, and the status of its answer. */
export interface Recorded {
  readonly call: Call;
  readonly status: number;
}

/** The correct service, and the requests that it has received, without those to its test clock. */
export function recordingService(): { service: Behaviour; recorded: Recorded[] } {
  const recorded: Recorded[] = [];
  const service: Behaviour = {
    ...right,
    finish(reply, call) {
      recorded.push({ call, status: reply.status });
      return reply;
    },
  };
  return { service, recorded };
}

/** Each tool has its own connections, so these headers are its own. */
const ofConnection = /^(connection|content-length|transfer-encoding|expect|te|upgrade)$/i;

/** Whether newman and curl can send it: they change `#`, `\`, a URL in place of the path, and another Host. */
export const isRepeatable = ({ url, headers: { host } }: Call, own: string): boolean =>
  /^\/[^#\\]*$/.test(url) && (host === undefined || host === own);

/** The headers that every tool sends as they were, in their order. */
const headersOf = ({ rawHeaders }: Call): [name: string, value: string][] =>
  rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 1 || ofConnection.test(name) ? [] : [[name, rawHeaders[index + 1] ?? '']],
  );

/** A collection of newman that sends the requests once, and checks the status of each answer. */
export function collectionOf(requests: readonly Recorded[], origin: string): string {
  const item = requests.map(({ call, status }, index) => ({
    name: `${index}`,
    request: {
      method: call.method,
      url: origin + call.url,
      header: headersOf(call).map(([key, value]) => ({ key, value })),
      body: call.body === '' ? undefined : { mode: 'raw', raw: call.body },
    },
    event: [
      {
        listen: 'test',
        script: { exec: [`pm.test('', () => pm.response.to.have.status(${status}))`] },
      },
    ],
  }));
  const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';
  const added = ['accept', 'user-agent', 'cache-control', 'postman-token'];
  const protocolProfileBehavior = {
    disableBodyPruning: true,
    disableUrlEncoding: true,
    disabledSystemHeaders: Object.fromEntries(added.map((name) => [name, true])),
  };
  return JSON.stringify({ info: { name: 'peer', schema }, protocolProfileBehavior, item });
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;

/** The options of curl for a request. @param bodyFile holds its body */
export function curlOptions({ call }: Recorded, origin: string, bodyFile: string): string {
  const own = headersOf(call);
  const absent = ['Accept', 'User-Agent', 'Content-Type'].filter(
    (name) => call.headers[name.toLowerCase()] === undefined,
  );
  const headers = [
    ...own.map(([name, value]) => (value === '' ? `${name};` : `${name}: ${value}`)),
    ...absent.map((name) => `${name}:`),
    'Expect:',
  ];
  return [
    `url = ${quoted(origin + call.url)}`,
    call.method === 'HEAD' ? 'head' : `request = ${call.method}`,
    ...headers.map((header) => `header = ${quoted(header)}`),
    ...(call.body === '' ? [] : [`data-binary = ${quoted(`@${bodyFile}`)}`]),
  ].join('\n');
}

/** Writes a file of options for each request, named by its index and the expected status, such as `12-401`. */
export async function writeCurlFiles(
  requests: readonly Recorded[],
  origin: string,
  folder: string,
): Promise<void> {
  await mkdir(folder);
  for (const [index, one] of requests.entries()) {
    const file = path.join(folder, `${index}-${one.status}`);
    await writeFile(file, curlOptions(one, origin, `${file}.body`), 'latin1');
    await writeFile(`${file}.body`, one.call.bytes ?? '');
  }
}
