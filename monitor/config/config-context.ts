import path from 'node:path';
import type { Proxies } from '../../contract/http/proxy.ts';
import type { Probe } from '../../contract/probe.ts';
import { type Accepted, NotAccepted } from '../../settings/accepted.ts';
import { certificates } from '../../settings/files.ts';
import type { Environment } from '../../settings/settings-reader.ts';
import type { Complaints, Path } from './complaints.ts';

/** What readers of a targets file need besides its content. */
export interface ConfigContext {
  readonly complaints: Complaints;
  /** A number, a text or the like as it is written in the file, if it is not an alias. */
  readonly writtenAt: (path: Path) => string | undefined;
  /** The folder of the file: file names in it are relative to that. */
  readonly folder: string;
  /** The variables that `apiKeyEnv` and `secretKeyEnv` may name. */
  readonly env: Environment;
  /** All probes, including those that a monitor cannot run. */
  readonly probes: readonly Probe[];
  /** Which receivers of alerts are reached through a proxy. */
  readonly proxies?: Proxies;
}

/**
 * Reads a text as a setting is read. A text that is not accepted is recorded, and the result is undefined. So it is for
 * other values, which the schema has reported.
 */
export function read<Value>(
  { words, read: readText }: Accepted<Value>,
  text: unknown,
  at: Path,
  { complaints }: Pick<ConfigContext, 'complaints'>,
): Value | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return readText(text);
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw error;
    complaints.about(at, error.message, { quoted: error.quoted, accepted: words });
    return undefined;
  }
}

/** The path of a file that the targets file names. */
export const placeOf = (name: string, { folder }: Pick<ConfigContext, 'folder'>): string =>
  path.isAbsolute(name) ? name : path.join(folder, name);

/** The certificates (PEM) in a file that the targets file names. */
export const certificatesIn = (
  file: unknown,
  at: Path,
  around: ConfigContext,
): string | undefined =>
  typeof file === 'string' ? read(certificates, placeOf(file, around), at, around) : undefined;
