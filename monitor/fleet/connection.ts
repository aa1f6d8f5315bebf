import pg from 'pg';
import { open, type Secret } from '../../contract/secrets/secret.ts';
import { StateOpenError } from '../state/opening.ts';
import { DatabaseGone } from './database.ts';

/** A connection attempt that takes longer fails. */
const connectMs = 4_000;

export interface ConnectionOptions {
  readonly address: Secret;
  readonly queryMs: number;
  /** Called for each new connection, before it is used. */
  readonly prepare?: (client: pg.Client) => Promise<void>;
}

/** One connection to the database. If it is lost, the next query opens a new one. */
export class Connection {
  readonly #options: ConnectionOptions;
  #client: Promise<pg.Client> | undefined;
  #isClosed = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** @throws DatabaseGone @throws StateOpenError */
  async query(text: string, values: readonly unknown[] = []): Promise<pg.QueryResultRow[]> {
    if (this.#isClosed) throw new DatabaseGone('the connection is closed');
    this.#client ??= this.#connect();
    const connecting = this.#client;
    try {
      const client = await connecting;
      return (await client.query(text, [...values])).rows;
    } catch (error) {
      this.#drop(connecting);
      throw explained(error);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const connecting = this.#client;
    if (connecting !== undefined) this.#drop(connecting);
    await connecting?.catch(() => undefined);
  }

  async #connect(): Promise<pg.Client> {
    const { address, queryMs, prepare } = this.#options;
    const text = open(address);
    const client = new pg.Client({
      // The same meaning as in libpq: `require` encrypts, and `verify-full` also verifies the server's identity.
      connectionString: `${text}${text.includes('?') ? '&' : '?'}uselibpqcompat=true`,
      connectionTimeoutMillis: connectMs,
      query_timeout: queryMs,
      keepAlive: true,
      application_name: 'public-api-monitor',
    });
    // The connection may be lost between two queries; the next query then opens a new one.
    client.on('error', () => this.#forget(client));
    client.on('end', () => this.#forget(client));
    try {
      await client.connect();
      await prepare?.(client);
      return client;
    } catch (error) {
      end(client);
      throw error;
    }
  }

  #forget(lost: pg.Client): void {
    const current = this.#client;
    current?.then(
      (client) => {
        if (client === lost && this.#client === current) this.#client = undefined;
      },
      () => undefined,
    );
  }

  /** Closes the connection after any error, so that the next query opens a new one. */
  #drop(connecting: Promise<pg.Client>): void {
    if (this.#client === connecting) this.#client = undefined;
    connecting.then(end, () => undefined);
  }
}

/** Without traffic a broken connection may never close by itself, so its socket is destroyed. */
function end(client: pg.Client): void {
  const socket: { destroy?(): void } | undefined = client.connection?.stream;
  client.end().catch(() => undefined);
  setTimeout(() => socket?.destroy?.(), 1_000).unref();
}

/** Why the database refuses this monitor, by SQLSTATE. A retry would not help. */
const refusals: Readonly<Record<string, string>> = {
  '28000': 'does not let this user in: correct user and password, or pg_hba.conf',
  '28P01': 'does not accept the password: correct MONITOR_STATE',
  '3D000': 'has no database of that name: create it, or correct MONITOR_STATE',
  '42501': 'does not let this user make or use its tables: grant it CREATE on the database',
};

/** Why the database cannot be used now, by SQLSTATE or Node's error code. A retry may succeed later. */
const outages: Readonly<Record<string, string>> = {
  '25006': 'it is read-only, as a standby is: let MONITOR_STATE lead to the primary',
  '53100': 'its disk is full',
  '53300': 'it has no connection left: raise max_connections there, or end other clients',
  '55000': 'it takes no connections now',
  '57014': 'it cancels statements too early: raise statement_timeout there',
  '57P01': 'it is shutting down',
  '57P03': 'it is starting up or shutting down',
  ECONNREFUSED: 'nothing listens at its address',
  ECONNRESET: 'it closed the connection',
  EHOSTUNREACH: 'no route leads to its address',
  ENOENT: 'its socket does not exist',
  ENOTFOUND: 'the name of its host does not resolve',
  EAI_AGAIN: 'the name of its host does not resolve now',
};

/** Node's error codes for an untrusted certificate. */
const untrusted = /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^ERR_OSSL/;

const refused = (why: string): StateOpenError =>
  new StateOpenError(`the database in MONITOR_STATE ${why}`);

/** The message contains neither the address nor any text of the database, which may quote values. */
function explained(error: unknown): Error {
  if (error instanceof StateOpenError || error instanceof DatabaseGone) return error;
  if (!(error instanceof Error)) return new DatabaseGone('unknown');
  const code = 'code' in error ? String(error.code) : '';
  const refusal = refusals[code];
  if (refusal !== undefined) return refused(refusal);
  if (untrusted.test(code)) return refused(`has no certificate that is trusted (${code})`);
  if (/does not support SSL/.test(error.message))
    return refused('does not speak TLS: correct sslmode in MONITOR_STATE');
  if (/SASL|password/i.test(error.message) && code === '')
    return refused('wants a password: correct MONITOR_STATE');
  if (/timeout/i.test(error.message)) return new DatabaseGone('no answer in time');
  if (code === '') return new DatabaseGone('the connection was lost');
  const outage = outages[code];
  return new DatabaseGone(outage === undefined ? code : `${outage} (${code})`);
}
