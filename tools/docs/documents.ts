/** `npm run docs`: writes the generated parts of the documentation. */
import { readFileSync, writeFileSync } from 'node:fs';
import { readCommandLine } from '../../config/command-line.ts';
import { print, runCommand } from '../../contract/command.ts';
import { generated } from './generated.ts';
import { findPart } from './markdown.ts';

const help = `npm run docs

Writes the parts of the documentation that follow from the code. In Markdown they are between the markers
<!-- docs:NAME --> and <!-- docs:end -->; .env.example and two files of schemas/ are written as a whole. The tables of
faults in monitor/README.md are compared by tests/monitor/fault-table.spec.ts.

${generated.map(({ file, part = '' }) => `  ${file.padEnd(27)} ${part}`).join('\n')}
`;

const projectUrl = (file: string): URL => new URL(`../../${file}`, import.meta.url);

/** The files that differ from the code, with the text that they should have. @throws when the markers of a part are missing */
export const findStale = (): { file: string; fresh: string }[] =>
  generated.flatMap(({ file, part, text }) => {
    const old = readFileSync(projectUrl(file), 'utf8');
    const fresh = part === undefined ? text() : old.replace(findPart(old, part), text);
    return fresh === old ? [] : [{ file, fresh }];
  });

async function main(args: readonly string[]): Promise<0> {
  readCommandLine('npm run docs', { args: [...args] });
  for (const { file, fresh } of findStale()) {
    writeFileSync(projectUrl(file), fresh);
    print(`${file}\n`);
  }
  return 0;
}

if (import.meta.main) await runCommand(main, help);
