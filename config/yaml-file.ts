import * as v from 'valibot';
import * as yaml from 'yaml';
import { Unaccepted } from './accepted.ts';
import { readText } from './files.ts';
import { SettingsError } from './mistakes.ts';

/** Stands in a file for a value that only its owner knows. */
export const marker = 'FILL_IN';

/** A mistake in a file. */
export interface Mistake {
  /** `['targets', 0, 'url']`; a value that is missing is where its map begins. */
  readonly path: readonly (string | number)[];
  /** Whether the name at the end of the path is meant, not its value. */
  readonly isName?: boolean;
  /** Follows the name of the field, as in `Unaccepted`. */
  readonly message: string;
}

/** More than thousands of targets that share an anchor need. */
const maxAliasCount = 100_000;

/** @throws SettingsError of one line, which quotes nothing of the file: it may be a credential */
export function readYaml(file: string, text = textOf(file)) {
  const lineCounter = new yaml.LineCounter();
  /** `monitor.yaml:12:5` */
  const position = (node: unknown): string => {
    const offset = typeof node === 'number' ? node : yaml.isNode(node) ? node.range?.[0] : 0;
    const { line, col } = lineCounter.linePos(offset ?? 0);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const refuse = (node: unknown, why: string): never => {
    throw new SettingsError([`${position(node)}: ${why}`]);
  };
  const strict = { prettyErrors: false, stringKeys: true, resolveKnownTags: false } as const;
  const options = { ...strict, merge: true, logLevel: 'error', lineCounter } as const;
  const document = yaml.parseDocument(text, options);
  const [first] = [...document.errors, ...document.warnings];
  // It often causes the others.
  if (first !== undefined)
    refuse(first.pos[0], `is not YAML: ${first.code.toLowerCase().replaceAll('_', ' ')}`);
  yaml.visit(document, {
    Alias(_, node) {
      const why = 'is an alias (*) without an anchor (&) above it: a text needs quotes';
      if (node.resolve(document) === undefined) refuse(node, why);
    },
  });
  try {
    return { document, value: document.toJS({ maxAliasCount }) as unknown, position };
  } catch {
    return refuse(0, 'has too many aliases (*), or merges (<<) what is not a map');
  }
}

/** Adds entries to a list of a document, which may be missing. Comments and order stay. */
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

function textOf(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw error instanceof Unaccepted ? new SettingsError([`${file} ${error.message}`]) : error;
  }
}

/** With more lines, the first ones scroll away, and these often cause the others. */
const mostLines = 10;

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
  const { document, value, position } = readYaml(file);
  const { success, output, issues } = v.safeParse(schema, value, { abortPipeEarly: true });
  const mistakes = success ? [...contradictions(output)] : issues.map(mistakeOf);
  const toFillIn: string[] = [];
  yaml.visit(document, {
    Scalar(_, node) {
      if (String(node.value).includes(marker))
        toFillIn.push(`${position(node)}: write a real value instead of ${marker}`);
    },
  });
  const lines = mistakes
    .filter(({ path, message }) => {
      const meant = `did you mean ${path.at(-1)}?`;
      return message !== 'is missing' || !mistakes.some((other) => other.message.includes(meant));
    })
    .map((one) => `${position(nodeAt(document, one))}: ${pathText(one.path)} ${one.message}`);
  const [...each] = toFillIn.length > 0 ? toFillIn : new Set(lines.sort(byPosition));
  const more = each.splice(mostLines).length;
  if (more > 0) each.push(`${file}: and ${more} more like these`);
  if (success && each.length === 0) return output;
  throw new SettingsError(each);
}

/** As line and column say, which are numbers. */
const byPosition = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });

function mistakeOf({ path, message }: v.BaseIssue<unknown>): Mistake {
  const steps = path?.map(({ key }) => (typeof key === 'number' ? key : String(key))) ?? [];
  return { path: steps, message, isName: path?.at(-1)?.origin === 'key' };
}

/** The node of a mistake, or the nearest one that holds it, as where an alias or a merge key adds it. */
function nodeAt(
  document: yaml.Document,
  { path, isName }: Pick<Mistake, 'path' | 'isName'>,
): unknown {
  const holder = document.getIn(path.slice(0, -1), true);
  const pairs = yaml.isMap(holder) ? holder.items : [];
  const pair = pairs.find(({ key }) => String(key) === path.at(-1));
  const node = document.getIn(path, true);
  const isEmpty = yaml.isScalar(node) && node.source === '';
  if (pair !== undefined && (isName || isEmpty)) return pair.key;
  return node ?? (path.length > 0 ? nodeAt(document, { path: path.slice(0, -1) }) : undefined);
}

/** Words, and numbers as in `every-cause-gets-the-same-401`; another name may be a credential. */
const words = /^_{0,2}([a-z]{1,16}|\d{1,3})([_-]+([a-z]{1,16}|\d{1,3}))*_{0,2}$/i;

/** `targets[0].endpoints[1].path` */
const pathText = (path: Mistake['path']): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${words.test(step) ? step : '…'}`))
    .join('')
    .replace(/^\./, '') || 'the file';
