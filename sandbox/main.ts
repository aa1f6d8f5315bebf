import { chmodSync, statSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { right } from './behaviour.ts';
import { demoFaults, faulty } from './demo-faults.ts';
import { type Sandbox, sandboxEndpoints, startSandbox } from './provider.ts';

const help = `The sandbox: the service as its document describes it, in memory, with a test clock.

  npm run sandbox                             on a free port of 127.0.0.1
  npm run sandbox -- --port 8080              on that port
  npm run sandbox -- --fault leeway-of-a-minute    with this fault
  npm run sandbox -- --faults                 lists the faults
  npm run sandbox -- --env FILE               writes the settings for the gate, including credentials, to a private file
`;

async function main(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      help: { type: 'boolean', short: 'h' },
      port: { type: 'string', default: '0' },
      fault: { type: 'string' },
      faults: { type: 'boolean' },
      env: { type: 'string' },
    },
  });
  const { faults, env, fault } = values;
  if (values.help || faults) return print(values.help ? help : faultList());
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new Error(`--port ${values.port} is not a port`);
  const behaviour = fault === undefined ? right : faulty(fault);
  const sandbox = await startSandbox({ port, behaviour }).catch((error: NodeJS.ErrnoException) => {
    if (error.syscall !== 'listen') throw error;
    const why = error.code === 'EADDRINUSE' ? 'is in use' : `cannot be opened (${error.code})`;
    throw new Error(`127.0.0.1:${port} ${why}: --port selects another port, 0 any`);
  });
  if (env !== undefined) writePrivately(env, settingsFor(sandbox));
  print(`base address  ${sandbox.baseUrl.origin}\ntest clock    ${sandbox.clockUrl.href}\n`);
  print(`endpoints     ${endpoints}\nfault         ${fault ?? 'none'}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
}

const print = (text: string): void => void process.stdout.write(text);

function faultList(): string {
  const widest = Math.max(...Object.keys(demoFaults).map(({ length }) => length));
  return Object.entries(demoFaults)
    .map(([name, { means, breaks }]) => `${name.padEnd(widest)}  ${means} (${breaks.join(', ')})\n`)
    .join('');
}

const endpoints = sandboxEndpoints.map(({ method, path }) => `${method} ${path}`).join(', ');

/** Writes a file that only this user can read, also if the file exists and others can read it. */
function writePrivately(file: string, text: string): void {
  try {
    writeFileSync(file, '', { mode: 0o600 });
    if (statSync(file).isFile()) chmodSync(file, 0o600);
    writeFileSync(file, text);
  } catch (error) {
    const code = Object(error).code ?? '';
    throw new Error(
      `--env ${file} cannot be written (${code}): name a file in a folder that exists`,
    );
  }
}

/** A shell and dotenv read single-quoted text in the same way. The sandbox's credentials contain no single quotes. */
const settingsFor = ({ baseUrl, clockUrl, state: { account } }: Sandbox): string => `\
PUBLIC_API_BASE_URL='${baseUrl.origin}'
PUBLIC_API_KEY='${account.apiKey}'
PUBLIC_API_SECRET_KEY='${account.secretKey}'
PUBLIC_API_ENDPOINTS='${endpoints}'
PUBLIC_API_CLOCK_URL='${clockUrl.href}'
`;

// A closed pipe, for example of `head`, must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

main(process.argv.slice(2)).catch((error: NodeJS.ErrnoException) => {
  const { message, code = '' } = error;
  // For a wrong option Node adds advice after the first sentence, which does not apply here.
  const [first] = message.split(/\.\s/, 1);
  const isOption = code.startsWith('ERR_PARSE_ARGS');
  const line = isOption ? `${first}: npm run sandbox -- --help lists the options` : message;
  process.stderr.write(`${line}\n`);
  process.exit(2);
});
