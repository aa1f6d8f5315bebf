/** `npm run docs`: writes the generated parts of the documentation. */
import { readCommandLine } from '../../config/command-line.ts';
import { generated, stale, writeDocuments } from './documents.ts';

const help = `npm run docs

Writes the parts of the documentation that follow from the code. In Markdown they are between the markers
<!-- docs:NAME --> and <!-- docs:end -->; .env.example and two files of schemas/ are written as a whole.

  npm run docs               writes what is not as in the code
  npm run docs -- --check    writes nothing, and names what is not as in the code

${generated.map(({ file, name }) => `  ${file.padEnd(27)} ${name}`).join('\n')}

The tables of faults in monitor/README.md are measured, not written here: its text names the command.

Exit codes: 0 all is as in the code · 1 --check found a difference · 2 wrong arguments, or a missing marker
`;

/** @returns the exit code */
function main(): number {
  const options = { check: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values } = readCommandLine('npm run docs', { options });
  if (values.help) {
    process.stdout.write(help);
    return 0;
  }
  if (!values.check) {
    const changed = writeDocuments();
    process.stdout.write(`${changed.join('\n') || 'all is as in the code'}\n`);
    return 0;
  }
  const lines = stale();
  for (const line of lines) process.stderr.write(`${line}\n`);
  return lines.length === 0 ? 0 : 1;
}

try {
  process.exitCode = main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 2;
}
