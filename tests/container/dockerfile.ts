/** An instruction of a Dockerfile, with the lines that a backslash joins to it. */
interface Instruction {
  readonly name: string;
  readonly text: string;
}

/** The part of a Dockerfile that becomes an image, or that another stage copies from. */
export interface Stage {
  readonly base: string;
  readonly name?: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a Dockerfile. */
export function stagesOf(dockerfile: string): Stage[] {
  const stages: { base: string; name?: string; instructions: Instruction[] }[] = [];
  for (const instruction of instructionsOf(dockerfile)) {
    const [, base, name] = /^(\S+)(?: AS (\S+))?$/.exec(instruction.text) ?? [];
    if (instruction.name !== 'FROM') stages.at(-1)?.instructions.push(instruction);
    else if (base !== undefined) stages.push({ base, instructions: [], name });
  }
  return stages;
}

/** A comment is on a line of its own, and may be between joined lines. */
const instructionsOf = (dockerfile: string): Instruction[] =>
  dockerfile
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [, name = '', text = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
      if (name === '') throw new Error(`no instruction: ${line}`);
      return { name, text };
    });

/** The text of the last instruction with this name, which is the effective one. */
export function last({ instructions }: Stage, name: string): string {
  const found = instructions.findLast((one) => one.name === name);
  if (found === undefined) throw new Error(`the Dockerfile has no ${name}`);
  return found.text;
}

/** Splits flags, such as `--from=build` and `--chown=…`, by name from the other words. */
export function wordsOf(text: string): { flags: ReadonlyMap<string, string>; words: string[] } {
  const all = text.split(/\s+/);
  const flags = all.flatMap((word): [string, string][] => {
    const [, name, value] = /^--(\w+)=(.*)$/.exec(word) ?? [];
    return name === undefined || value === undefined ? [] : [[name, value]];
  });
  return { flags: new Map(flags), words: all.filter((word) => !word.startsWith('--')) };
}

/** Parses `NAME=value` pairs; a value may be in double quotes. */
export const pairsOf = (text: string): ReadonlyMap<string, string> =>
  new Map(
    [...text.matchAll(/([\w.]+)=(?:"([^"]*)"|(\S*))/g)].map(
      ([, name = '', quoted, plain]): [string, string] => [name, quoted ?? plain ?? ''],
    ),
  );
