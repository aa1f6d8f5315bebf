import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { freePort } from '../free-port.ts';
import { programPath } from '../programs.ts';

/** A real PostgreSQL for one test, on a socket in a temporary folder. */
export interface Cluster extends AsyncDisposable {
  /** A new database in it. @returns its address, as in MONITOR_STATE */
  database(): Promise<string>;
  /** Kills all of its processes with `kill -9`. */
  kill(): Promise<void>;
  /** Starts it again after `kill`. */
  start(): Promise<void>;
  /** Sends `kill -STOP` or `-CONT` to it. While stopped it accepts connections, and answers nothing. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
}

/** How a cluster also listens on the network, where it requires a password. */
export interface OverNetwork {
  /** PEM; without it the server does not offer TLS. */
  readonly certificate?: { readonly cert: string; readonly key: string };
}

/** A password in the address, which tests search for in outputs. This socket does not require a password. */
export const passwordMark = 'plantedPASSWORD7c';

/** PostgreSQL refuses to run as the superuser. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Without durability: these tests do not need it. */
const settings = {
  listen_addresses: '',
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '32MB',
  max_connections: '60',
  autovacuum: 'on',
};

/** @param network if set, also listens on a free port */
export async function startCluster(network?: OverNetwork): Promise<Cluster> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'pg-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const server = programPath('postgres');
  const bin = path.dirname(server);
  const made = ['-D', data, '-U', 'monitor', '-A', 'trust', '--no-sync', '-E', 'UTF8'];
  execFileSync(path.join(bin, 'initdb'), [...made, '--locale=C'], {
    ...user,
    stdio: 'pipe',
    cwd: folder,
  });
  const port = network === undefined ? 5432 : await freePort();
  const listening = network === undefined ? {} : listensOn(port, data, network);
  let child: ChildProcess | undefined;
  let count = 0;

  const signal = (name: NodeJS.Signals): void => {
    if (child?.pid !== undefined) process.kill(-child.pid, name);
  };

  async function kill(): Promise<void> {
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    signal('SIGKILL');
    await ended;
  }

  async function start(): Promise<void> {
    const options = Object.entries({
      ...settings,
      port,
      unix_socket_directories: folder,
      ...listening,
    });
    const args = options.flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    child = spawn(server, ['-D', data, ...args], {
      ...user,
      cwd: folder,
      stdio: ['ignore', 'ignore', 'pipe'],
      detached: true,
    });
    child.unref();
    let log = '';
    await new Promise<void>((resolve, reject) => {
      child?.stderr?.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (text.includes('ready to accept connections')) resolve();
      });
      child?.once('exit', () => reject(new Error(`postgres ended: ${log}`)));
    });
  }

  await start();
  return {
    kill,
    start,
    signal,
    async database() {
      count += 1;
      const admin = { host: folder, port, user: 'monitor', database: 'postgres' };
      await query(admin, `create database fleet_${count}`);
      await query(admin, `alter user monitor password '${passwordMark}'`);
      return network === undefined
        ? `postgres://monitor:${passwordMark}@/fleet_${count}?host=${folder}`
        : `postgres://monitor:${passwordMark}@127.0.0.1:${port}/fleet_${count}`;
    },
    async [Symbol.asyncDispose]() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Sends a statement from another program than the monitor. @returns its rows, as arrays */
export async function query(
  database: string | pg.ClientConfig,
  text: string,
): Promise<unknown[][]> {
  const client = new pg.Client(database);
  await client.connect();
  try {
    return (await client.query({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

/** Over the network a password is required. Certificate files must belong to the server's user. */
function listensOn(port: number, data: string, { certificate }: OverNetwork) {
  writeFileSync(
    path.join(data, 'pg_hba.conf'),
    'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
  );
  for (const [name, text] of Object.entries(certificate ?? {})) {
    const file = path.join(data, `server.${name}`);
    writeFileSync(file, text, { mode: 0o600 });
    if (user.uid !== undefined) chownSync(file, user.uid, user.gid);
  }
  const tls =
    certificate === undefined
      ? {}
      : { ssl: 'on', ssl_cert_file: 'server.cert', ssl_key_file: 'server.key' };
  return { listen_addresses: '127.0.0.1', port, ...tls };
}
