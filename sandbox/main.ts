import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { right } from './behaviour.ts';
import { demoFaults, faulty } from './demo-faults.ts';
import { type Sandbox, sandboxEndpoints, startSandbox } from './provider.ts';

const faults = Object.entries(demoFaults)
  .map(([name, { means, breaks }]) => `  ${name.padEnd(20)}  ${means} (${breaks.join(', ')})\n`)
  .join('');

const help = `The sandbox: the service as its document describes it, in memory, with a test clock.

  npm run sandbox                             on a free port of 127.0.0.1
  npm run sandbox -- --port 8080              on that port
  npm run sandbox -- --fault leeway-of-a-minute    with this fault
  npm run sandbox -- --write-env FILE         writes the settings for the gate, including credentials, to a private file

The faults:
${faults}`;

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      port: { type: 'string', default: '0' },
      fault: { type: 'string' },
      'write-env': { type: 'string' },
    },
  });
  const { fault, 'write-env': env } = values;
  if (values.help) return console.log(help);
  const behaviour = fault === undefined ? right : faulty(fault);
  const sandbox = await startSandbox({ port: Number(values.port), behaviour });
  if (env !== undefined) writeFileSync(env, settingsFor(sandbox), { mode: 0o600 });
  console.log(`base address  ${sandbox.baseUrl.origin}
test clock    ${sandbox.clockUrl.href}
endpoints     ${endpoints}
fault         ${fault ?? 'none'}`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
}

const endpoints = sandboxEndpoints.map(({ method, path }) => `${method} ${path}`).join(', ');

/** A shell and dotenv read single-quoted text in the same way. The sandbox's credentials contain no single quotes. */
const settingsFor = ({ baseUrl, clockUrl, state: { account } }: Sandbox): string => `\
PUBLIC_API_BASE_URL='${baseUrl.origin}'
PUBLIC_API_KEY='${account.apiKey}'
PUBLIC_API_SECRET_KEY='${account.secretKey}'
PUBLIC_API_ENDPOINTS='${endpoints}'
PUBLIC_API_CLOCK_URL='${clockUrl.href}'
`;

main(process.argv.slice(2)).catch(({ message, code = '' }: NodeJS.ErrnoException) => {
  // For a wrong option Node adds advice after the first sentence, which does not apply here.
  const [first] = message.split(/\.\s/, 1);
  const isOption = code.startsWith('ERR_PARSE_ARGS');
  console.error(isOption ? `${first}: npm run sandbox -- --help lists the options` : message);
  process.exit(2);
});
