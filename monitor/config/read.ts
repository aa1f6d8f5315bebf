import path from 'node:path';
import { field } from '../../contract/json-value.ts';
import { largest } from '../../settings/regular-file.ts';
import { SettingsError } from '../../settings/settings-reader.ts';
import { Complaints, inOrder } from './complaints.ts';
import type { ConfigContext } from './config-context.ts';
import { type Document, readYaml } from './document.ts';
import { fileText } from './file-text.ts';
import { NotYaml } from './not-yaml.ts';
import { receiversOf } from './notify.ts';
import { readPart } from './part.ts';
import { checkShape } from './shape.ts';
import { type MonitorConfig, noteTwins, targetOf, type WhenUnset } from './target.ts';

export interface ReadOptions extends Pick<ConfigContext, 'env' | 'probes' | 'proxies'> {
  readonly unset?: WhenUnset;
}

/**
 * Reads a targets file, and the files that it names. Nothing is cached between two calls.
 * @throws SettingsError with all mistakes, at most ten lines, with line and column, free of secrets
 */
export function readConfig(
  file: string,
  { env, probes, unset = {}, proxies }: ReadOptions,
): MonitorConfig {
  const document = documentIn(file);
  const complaints = new Complaints(file, (at, is) =>
    is === 'name' ? document.nameAt(at) : document.valueAt(at),
  );
  checkShape(document.value, complaints);
  const { writtenAt } = document;
  const around = { complaints, writtenAt, folder: path.dirname(file), env, probes, proxies };
  const forAll = field(document.value, 'defaults');
  const defaults = readPart(forAll, ['defaults'], around);
  const scope = {
    ...around,
    defaults,
    unset,
    namesEndpoints: field(forAll, 'endpoints') !== undefined,
  };
  const list = field(document.value, 'targets');
  const targets = (Array.isArray(list) ? list : []).flatMap((one, index) => {
    const target = targetOf(one, ['targets', index], scope);
    return target === undefined ? [] : [target];
  });
  noteTwins(list, complaints);
  const notify = receiversOf(field(document.value, 'notify'), around);
  if (!complaints.none) throw new SettingsError(complaints.lines());
  return { file, targets, notify };
}

/** @throws SettingsError */
function documentIn(file: string): Document {
  let text: string;
  try {
    text = fileText(file, largest.targets);
  } catch (error) {
    throw new SettingsError([`${file} ${error instanceof Error ? error.message : error}`]);
  }
  try {
    const document = readYaml(text);
    if (document.value !== null) return document;
    throw new NotYaml([{ line: 1, column: 1, sentence: 'the file is empty: it names no target' }]);
  } catch (error) {
    if (!(error instanceof NotYaml)) throw error;
    throw new SettingsError(inOrder(file, error.faults));
  }
}
