import type { YAMLError } from 'yaml';
import type { Position } from './complaints.ts';

/** A mistake in the text itself. The message quotes no text of the file, because it may be a credential. */
export interface Fault extends Position {
  readonly sentence: string;
}

/** A text that is not YAML, or that uses YAML features beyond plain data. */
export class NotYaml extends Error {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map(({ sentence }) => sentence).join('\n'));
    this.name = 'NotYaml';
    this.faults = faults;
  }
}

/** Our own messages, because the library's messages quote the text. */
const sentences: Readonly<Record<YAMLError['code'], string>> = {
  ALIAS_PROPS: 'an alias has neither anchor nor tag of its own',
  BAD_ALIAS:
    'this is not the name of an anchor or an alias: a text that begins with & or * needs quotes',
  BAD_COLLECTION_TYPE: 'this tag does not fit its value: write no tags',
  BAD_DIRECTIVE: 'this is not a directive: a line that begins with % needs quotes',
  BAD_DQ_ESCAPE:
    'no such escape: in double quotes write \\\\ for a backslash, or use single quotes',
  BAD_INDENT: 'the indentation does not fit: it must be deeper than that of the line it belongs to',
  BAD_PROP_ORDER: 'anchors and tags precede the value, on its line',
  BAD_SCALAR_START: 'a text that begins with @, %, ` or another sign of YAML needs quotes',
  BLOCK_AS_IMPLICIT_KEY: 'a second ": " in one line: put the value in quotes, or begin a new line',
  BLOCK_IN_FLOW: 'inside { } and [ ] write names and values behind one another, with commas',
  DUPLICATE_KEY: 'this name is here twice: keep one of them',
  IMPOSSIBLE: 'this is not YAML',
  KEY_OVER_1024_CHARS: 'this is not YAML: a name of more than 1024 characters',
  MISSING_CHAR:
    'a sign is missing: a closing quote, bracket or brace, a comma, or ":" behind a name',
  MULTILINE_IMPLICIT_KEY: 'a name and its ":" must be in one line',
  MULTIPLE_ANCHORS: 'a value has at most one anchor',
  MULTIPLE_DOCS: 'a second document begins here: the file holds one',
  MULTIPLE_TAGS: 'a value has at most one tag: write no tags',
  NON_STRING_KEY: 'a name must be a text',
  RESOURCE_EXHAUSTION: 'this is nested too deeply',
  TAB_AS_INDENT: 'a tab indents this line: use blanks',
  TAG_RESOLVE_FAILED: 'this tag is not known: a text that begins with ! needs quotes',
  UNEXPECTED_TOKEN:
    'this does not belong here: is an indentation, a quote or a bracket wrong above?',
};

/** Codes that have several causes. The beginning of the library's message, which quotes nothing, shows the cause. */
const causes: readonly (readonly [beginning: string, sentence: string])[] = [
  [
    'Flow ',
    'a bracket or brace above is not closed, or what closes it is not indented deeper than its name',
  ],
  [
    'Sequence item without - ',
    'this line is indented less than the names of its list item: indent it like them',
  ],
  [
    'A block sequence may not be used as an implicit map key',
    'the indentation does not fit: items of one list begin in the same column',
  ],
  [
    'All sequence items must start at the same column',
    'the indentation does not fit: items of one list begin in the same column',
  ],
];

/** Converts the library's errors: all repeated names, but only the first other error, because it causes the rest. */
export function notYaml(
  errors: readonly YAMLError[],
  position: (offset: number) => Position,
): NotYaml {
  const twice = errors.filter(({ code }) => code === 'DUPLICATE_KEY');
  const others = errors.filter(({ code }) => code !== 'DUPLICATE_KEY').slice(0, 1);
  return new NotYaml(
    [...others, ...twice].map((error) => ({
      ...position(error.pos[0]),
      sentence: sentenceOf(error, errors),
    })),
  );
}

function sentenceOf({ code, pos, message }: YAMLError, all: readonly YAMLError[]): string {
  const goesOn = all.some(
    (other) => other.code === 'MULTILINE_IMPLICIT_KEY' && other.pos[0] === pos[0],
  );
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && goesOn)
    return 'this line has a value, and the next one is indented deeper: correct the indentation, or a "- " that is missing';
  return causes.find(([beginning]) => message.startsWith(beginning))?.[1] ?? sentences[code];
}
