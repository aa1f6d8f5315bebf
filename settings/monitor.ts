import type { Secret } from '../contract/secrets/secret.ts';
import type { SettingsReader } from './settings-reader.ts';
import type { Shard } from './shard.ts';
import { table } from './table.ts';
import { type TlsFiles, tlsFilesOf } from './tls.ts';

export interface MonitorSettings {
  readonly host: string;
  /** 0 selects any free port. */
  readonly port: number;
  /** The files of the monitor's certificate. Without them it serves plain HTTP. */
  readonly tls?: TlsFiles;
  readonly periodSeconds: number;
  /** The state file; undefined means that no state is stored on disk. */
  readonly state: string | undefined;
  /** The bearer token that every route except `/-/healthy` and `/-/ready` requires. */
  readonly authToken?: Secret;
  /** The YAML file of all targets. */
  readonly config?: string;
  /** The share of the targets that this monitor watches: 1 of 1 is all. */
  readonly shard: Shard;
}

/** Reads the settings of the monitor, and records what is wrong. */
export function monitorOf(reader: SettingsReader): MonitorSettings {
  const authToken = reader.credential(table.monitorAuthToken, table.monitorAuthTokenFile);
  const config = reader.optional(table.monitorConfig);
  const state = reader.defaulted(table.monitorState);
  const shard = reader.defaulted(table.monitorShard);
  reader.exclusive(table.baseUrl, table.monitorConfig);
  if (shard.of > 1 && !reader.isSet(table.monitorConfig))
    reader.wrong(
      `${table.monitorConfig.name} is missing, but ${table.monitorShard.name} is set: only the targets of a file can be sharded`,
    );
  return {
    host: reader.defaulted(table.monitorHost),
    port: reader.defaulted(table.monitorPort),
    tls: tlsFilesOf(reader, table.monitorTlsCert, table.monitorTlsKey),
    periodSeconds: reader.defaulted(table.monitorPeriodSeconds),
    state: state === 'none' ? undefined : state,
    authToken,
    config,
    shard,
  };
}
