import path from 'node:path';
import type { Probe } from '../../contract/probe.ts';
import { type Accepted, NotAccepted } from '../../settings/accepted.ts';
import type { Environment } from '../../settings/reading.ts';
import type { Complaints, Path } from './complaints.ts';

/** What the readers of a file of targets need beside it. */
export interface ConfigContext {
  readonly complaints: Complaints;
  /** Where the file lies: names of files in it are relative to that. */
  readonly folder: string;
  readonly env: Environment;
  readonly probes: readonly Probe[];
}

/** Reads a text as a setting is read; what is not accepted is noted, and undefined. */
export function read<Value>(
  { words, read: readText }: Accepted<Value>,
  text: string,
  at: Path,
  { complaints }: Pick<ConfigContext, 'complaints'>,
): Value | undefined {
  try {
    return readText(text);
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw error;
    complaints.about(at, error.message, { quoted: error.quoted, accepted: words });
    return undefined;
  }
}

/** Where a file lies that is named in the file of targets. */
export const placeOf = (name: string, { folder }: Pick<ConfigContext, 'folder'>): string =>
  path.isAbsolute(name) ? name : path.join(folder, name);
