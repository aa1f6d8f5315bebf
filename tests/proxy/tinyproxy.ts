import { startDaemon } from '../operations/daemon.ts';

/** A real HTTP proxy. */
export interface Tinyproxy extends AsyncDisposable {
  /** Includes the credentials that it requires. */
  readonly address: string;
  readonly host: string;
  /** The first lines of the requests that it received: `CONNECT 127.0.0.1:8443 HTTP/1.1`. */
  requests(): string[];
}

/** @param credentials `user:password`, as written in an address; if empty, it requires none */
export async function startTinyproxy(credentials = ''): Promise<Tinyproxy> {
  const [user = '', password = ''] = credentials.split(':').map(decodeURIComponent);
  const basic = credentials === '' ? '' : `BasicAuth ${user} ${password}\n`;
  const settings = `MaxClients 100\nTimeout 60\nLogLevel Info\n${basic}`;
  const daemon = await startDaemon({
    program: 'tinyproxy',
    files: { conf: (at) => `Listen 127.0.0.1\nPort ${at.split(':')[1]}\n${settings}` },
    args: (_at, folder) => ['-d', '-c', `${folder}/conf`],
    readyWith: 'Accepting connections',
  });
  const { host } = daemon.address;
  return {
    host,
    address: `http://${credentials === '' ? '' : `${credentials}@`}${host}`,
    requests: () =>
      [...daemon.log().matchAll(/Request \(file descriptor \d+\): (.*)/g)].map(
        ([, line = '']) => line,
      ),
    [Symbol.asyncDispose]: () => daemon[Symbol.asyncDispose](),
  };
}
