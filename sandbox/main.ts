import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from 'node:fs';
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

async function main(args: readonly string[]): Promise<number | undefined> {
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
  if (values.help === true) return print(help);
  if (values.faults === true) return print(faultList());
  const port = Number(values.port);
  if (!/^\d{1,5}$/.test(values.port) || port > 65_535)
    throw new Error(`--port ${values.port} is not a port`);
  const sandbox = await startSandbox({
    port,
    behaviour: values.fault === undefined ? right : faulty(values.fault),
  }).catch((error: NodeJS.ErrnoException) => {
    const why = portErrors[error.code ?? ''];
    throw why === undefined
      ? error
      : new Error(`127.0.0.1:${port} ${why}: --port selects another port, 0 any`);
  });
  if (values.env !== undefined) writePrivately(values.env, settingsFor(sandbox));
  print(`base address  ${sandbox.baseUrl.origin}\ntest clock    ${sandbox.clockUrl.href}\n`);
  print(`endpoints     ${endpoints}\nfault         ${values.fault ?? 'none'}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(0));
  return undefined;
}

function faultList(): string {
  const faults = Object.entries(demoFaults);
  const widest = Math.max(...faults.map(([name]) => name.length));
  return faults
    .map(([name, { means, breaks }]) => `${name.padEnd(widest)}  ${means} (${breaks.join(', ')})\n`)
    .join('');
}

const endpoints = sandboxEndpoints.map(({ method, path }) => `${method} ${path}`).join(', ');

/** Why a port cannot be opened, by the error's code. */
const portErrors: Readonly<Record<string, string>> = {
  EACCES: 'needs a privilege that this user lacks',
  EADDRINUSE: 'is in use',
};

/** Writes a file that only this user can read, also if the file exists and others can read it. */
function writePrivately(file: string, text: string): void {
  try {
    const descriptor = openSync(file, 'w', 0o600);
    if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, text);
    closeSync(descriptor);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    throw new Error(
      `--env ${file} cannot be written (${code}): name a file in a folder that exists`,
    );
  }
}

/** A shell and dotenv read single-quoted text in the same way. The sandbox's credentials contain no single quotes. */
function settingsFor({ baseUrl, clockUrl, state: { account } }: Sandbox): string {
  return [
    `PUBLIC_API_BASE_URL='${baseUrl.origin}'`,
    `PUBLIC_API_KEY='${account.apiKey}'`,
    `PUBLIC_API_SECRET_KEY='${account.secretKey}'`,
    `PUBLIC_API_ENDPOINTS='${endpoints}'`,
    `PUBLIC_API_CLOCK_URL='${clockUrl.href}'`,
    '',
  ].join('\n');
}

/** The message as one line. For a wrong option Node adds advice after the first sentence, which does not apply here. */
function message(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const wrongly = 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
  return wrongly
    ? `${error.message.split(/\.\s/, 1)[0]}: npm run sandbox -- --help lists the options`
    : error.message;
}

function print(text: string): number {
  process.stdout.write(text);
  return 0;
}

// A closed pipe, for example of `head`, must not end the service.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

main(process.argv.slice(2)).then(
  (code) => {
    if (code !== undefined) process.exit(code);
  },
  (error: unknown) => {
    process.stderr.write(`${message(error)}\n`);
    process.exit(2);
  },
);
