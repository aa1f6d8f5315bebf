import { readFileSync } from 'node:fs';
import { settings } from '../../config/table.ts';
import { tableOf } from './markdown.ts';

const example = (): string => readFileSync(new URL('../../.env.example', import.meta.url), 'utf8');

/** The lines about a setting in `.env.example`: its meaning, what is accepted, and the setting with an example. */
const paragraph = (name: string): RegExp =>
  new RegExp(`^# (.+)\\n(?:# accepted: .*\\n)?#${name}=(.+)$`, 'm');

function meaningOf(name: string): string {
  const meaning = paragraph(name).exec(example())?.[1];
  if (meaning !== undefined) return meaning;
  throw new Error(`.env.example has no lines "# what it means" and "#${name}=an example"`);
}

/** The text of `.env.example`, in which each setting is written by hand, with what it accepts. */
export const envExample = (): string =>
  settings.reduce(
    (text, { name, words }) =>
      text.replace(
        paragraph(name),
        (_, meaning, value) => `# ${meaning}\n# accepted: ${words}\n#${name}=${value}`,
      ),
    example(),
  );

/** The tables of settings, one for each group of commands that reads them. */
export const settingTables = (): string =>
  [...Map.groupBy(settings, readerOf)]
    .map(([reader, group]) => `\n## ${reader}\n\n${tableOf(columns, group.map(cellsOf))}\n`)
    .join('');

const columns = ['name', 'meaning', 'default', 'accepted'];

const cellsOf = ({ name, unset, words }: (typeof settings)[number]): string[] => [
  `\`${name}\``,
  meaningOf(name),
  unset === undefined ? 'none' : `\`${unset}\``,
  words,
];

function readerOf({ name }: { readonly name: string }): string {
  if (name.endsWith('_PROXY')) return 'The network';
  if (name.startsWith('PUBLIC_API_')) return 'The provider';
  return name.startsWith('MONITOR_') ? 'The monitor' : 'The Pact Broker';
}
