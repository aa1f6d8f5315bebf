import * as v from 'valibot';
import * as yaml from 'yaml';
import { replaceFile } from '../contract/report/write.ts';
import { SettingsError } from './fields.ts';
import { readText } from './files.ts';

/** Stands in a file for a value that only its owner knows. */
export const marker = 'FILL_IN';

export interface Mistake {
  /** `['targets', 0, 'url']`; a value that is missing is where its map begins. */
  readonly path: readonly unknown[];
  /** Follows the name of the field. */
  readonly message: string;
}

/** @throws SettingsError of one line, which quotes nothing of the file: it may be a credential */
export function readYaml(file: string, text = readText(file)) {
  const lineCounter = new yaml.LineCounter();
  /** `monitor.yaml:12:5` */
  const position = (offset = 0): string => {
    const { line, col } = lineCounter.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const strict = { prettyErrors: false, stringKeys: true, resolveKnownTags: false };
  const options = { ...strict, merge: true, logLevel: 'error', lineCounter } as const;
  const document = yaml.parseDocument(text, options);
  // It often causes the others.
  const [first] = [...document.errors, ...document.warnings];
  if (first !== undefined) {
    const why = first.code.toLowerCase().replaceAll('_', ' ');
    throw new SettingsError(`${position(first.pos[0])}: is not YAML: ${why}`);
  }
  try {
    // More than thousands of targets that share an anchor need.
    const value: unknown = document.toJS({ maxAliasCount: 100_000 });
    return { document, value, position };
  } catch {
    const why = 'has a wrong alias (*), or too many, or a wrong merge (<<)';
    throw new SettingsError(`${file} ${why}: a text with * needs quotes`);
  }
}

/** Writes a document that was changed. Comments and order stay. @throws SettingsError if the file cannot be written */
export async function writeYaml(file: string, document: yaml.Document): Promise<void> {
  const mistakes = await replaceFile(file, document.toString({ lineWidth: 0 }));
  if (mistakes.length > 0) throw new SettingsError(mistakes.join('\n'));
}

/** Adds entries to a list of a document, which may be missing. */
export function addEntries(
  document: yaml.Document,
  path: Mistake['path'],
  entries: readonly unknown[],
): void {
  const list = document.getIn(path, true);
  const whole = yaml.isSeq(list) ? list : new yaml.YAMLSeq(document.schema);
  whole.flow = false;
  whole.items.push(...entries.map((entry) => document.createNode(entry)));
  if (whole !== list) document.setIn(path, whole);
}

/**
 * The value of a file.
 * @param contradictions what is wrong although each field is right by itself
 * @throws SettingsError with a line for each mistake: `monitor.yaml:12:5: targets[0].perod is not known`
 */
export function parseYaml<Schema extends v.GenericSchema>(
  file: string,
  schema: Schema,
  contradictions: (output: v.InferOutput<Schema>) => Iterable<Mistake> = () => [],
): v.InferOutput<Schema> {
  const text = readText(file);
  const { document, value, position } = readYaml(file, text);
  // Not in a comment.
  const toFillIn = text.matchAll(new RegExp(`(?<=^[^#\n]*)${marker}`, 'gm'));
  const markers = [...toFillIn].map(
    ({ index }) => `${position(index)}: write a real value instead of ${marker}`,
  );
  if (markers.length > 0) throw new SettingsError(markers.join('\n'));
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  const mistakes = success
    ? [...contradictions(output)]
    : issues.map(({ path, message }) => ({ path: path?.map(({ key }) => key) ?? [], message }));
  if (success && mistakes.length === 0) return output;
  const lines = mistakes.map(
    ({ path, message }) => `${position(findOffset(document, path))}: ${pathText(path)} ${message}`,
  );
  // A mistake in the defaults is one of each target.
  throw new SettingsError([...new Set(lines)].join('\n'));
}

/** Where a name or an item is, or what holds it, as where an alias or a merge key adds it. */
function findOffset(document: yaml.Document, path: Mistake['path']): number {
  const holder = document.getIn(path.slice(0, -1), true);
  const pairs = yaml.isMap(holder) ? holder.items : [];
  const pair = pairs.find(({ key }) => String(key) === path.at(-1));
  const node = pair?.key ?? document.getIn(path, true);
  if (yaml.isNode(node)) return node.range?.[0] ?? 0;
  return path.length === 0 ? 0 : findOffset(document, path.slice(0, -1));
}

/** Words, and numbers as in `every-cause-gets-the-same-401`; another name may be a credential. */
const words = /^_{0,2}([a-z]{1,18}|\d{1,3})([_-]+([a-z]{1,18}|\d{1,3}))*_{0,2}$/i;

/** `targets[0].endpoints[1].path` */
const pathText = (path: Mistake['path']): string =>
  path
    .map((step) =>
      typeof step === 'number' ? `[${step}]` : `.${words.test(`${step}`) ? step : '…'}`,
    )
    .join('')
    .replace(/^\./, '') || 'the file';
