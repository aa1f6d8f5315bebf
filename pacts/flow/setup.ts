import { textIn } from '../../contract/json-value.ts';
import { Secret } from '../../contract/secrets/secret.ts';
import { NotAccepted } from '../../settings/accepted.ts';
import { credentialFile } from '../../settings/files.ts';
import { type Broker, pathOf } from './broker.ts';
import { argumentsOf, type Command } from './command.ts';
import { environmentsOf } from './environment.ts';
import { FlowError } from './flow-error.ts';
import { putWebhook, type Receiver } from './webhook.ts';

export const setup: Command = {
  help: `npm run pact:setup -- --environments test,production

Creates at the broker what the other pact commands need. Existing objects stay unchanged, so the command is repeatable.

  --environments NAMES          one named production or prod is a production environment
  --pacticipants NAMES          besides the provider (PACT_PROVIDER_NAME), which is always created
  --main-branch NAME            of all of them; by default main for a new pacticipant
  --webhook URL                 the broker calls it when a pact must be verified, or
  --webhook-github OWNER/REPO   the repository of the provider, which gets a repository_dispatch; needs a token
  --webhook-token-file FILE     holds the receiver's token; an open-source broker stores it in plain text
  --webhook-token-secret NAME   or the name of a secret that the broker stores, if it can store secrets

Exit codes: 0 all is there · 2 it is not, and why · 3 a defect of this suite
`,
  async run(run) {
    const { values } = argumentsOf('setup', {
      args: [...run.args],
      options: {
        environments: { type: 'string', default: '' },
        pacticipants: { type: 'string', default: '' },
        'main-branch': { type: 'string' },
        webhook: { type: 'string' },
        'webhook-github': { type: 'string' },
        'webhook-token-file': { type: 'string' },
        'webhook-token-secret': { type: 'string' },
      },
    });
    const { providerName } = run.settings;
    const receiver = receiverOf(values);
    const token = receiver?.authorization instanceof Secret ? [receiver.authorization] : [];
    const broker = await run.broker(token);
    for (const name of namesIn(values.environments))
      run.print(`environment ${name}: ${await putEnvironment(broker, name)}`);
    for (const name of [providerName, ...namesIn(values.pacticipants)])
      run.print(
        `pacticipant ${name}: ${await putPacticipant(broker, name, values['main-branch'])}`,
      );
    if (receiver === undefined) return 0;
    const done = await putWebhook(broker, providerName, receiver);
    // Only the host, because a path may hold a secret.
    run.print(`webhook to ${new URL(receiver.url).host}: ${done}`);
    return 0;
  },
};

const namesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

async function putEnvironment(broker: Broker, name: string): Promise<string> {
  if ((await environmentsOf(broker)).some((one) => one.name === name)) return 'is there';
  const production = /^prod(uction)?$/i.test(name);
  const words = ['--name', name, '--display-name', name, ...(production ? ['--production'] : [])];
  const { ok, why } = await broker.pact('create-environment', words);
  if (!ok) throw new FlowError(`the Pact Broker does not make ${name}: ${why}`);
  return 'made';
}

async function putPacticipant(
  broker: Broker,
  name: string,
  mainBranch: string | undefined,
): Promise<string> {
  const place = pathOf`/pacticipants/${name}`;
  const known = await broker.request('GET', place);
  if (
    known.ok &&
    (mainBranch ?? textIn(known.document, 'mainBranch')) === textIn(known.document, 'mainBranch')
  )
    return 'is there';
  const words = ['--name', name, '--main-branch', mainBranch ?? 'main'];
  const { ok, why } = await broker.pact('create-or-update-pacticipant', words);
  if (!ok) throw new FlowError(`the Pact Broker does not take ${name}: ${why}`);
  return `${known.ok ? 'changed' : 'made'}, its main branch is ${mainBranch ?? 'main'}`;
}

/** @throws FlowError */
function receiverOf(values: {
  webhook?: string;
  'webhook-github'?: string;
  'webhook-token-file'?: string;
  'webhook-token-secret'?: string;
}): Receiver | undefined {
  const { webhook, 'webhook-github': repository } = values;
  const { 'webhook-token-file': file, 'webhook-token-secret': secret } = values;
  if (webhook !== undefined && repository !== undefined)
    throw new FlowError('--webhook and --webhook-github are both given: keep one of them');
  if (file !== undefined && secret !== undefined)
    throw new FlowError('--webhook-token-file and --webhook-token-secret are both given: keep one');
  if (webhook === undefined && repository === undefined) {
    if (file === undefined && secret === undefined) return undefined;
    throw new FlowError('a token is given, but no --webhook and no --webhook-github');
  }
  const url = repository === undefined ? addressOf(webhook ?? '') : dispatchesOf(repository);
  return { url, authorization: authorizationOf(file, secret) };
}

/** An address with credentials is refused, because the broker's pages would show them. */
function addressOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text))
    throw new FlowError('--webhook takes an http or https address');
  if (url.username !== '' || url.password !== '')
    throw new FlowError('--webhook takes an address without credentials: --webhook-token-file');
  return url.href;
}

function dispatchesOf(repository: string): string {
  if (!/^[\w.-]+\/[\w.-]+$/.test(repository))
    throw new FlowError('--webhook-github takes OWNER/REPO');
  return `https://api.github.com/repos/${repository}/dispatches`;
}

function authorizationOf(
  file: string | undefined,
  secret: string | undefined,
): Receiver['authorization'] {
  if (secret !== undefined) {
    if (/^\w+$/.test(secret)) return `Bearer \${user.${secret}}`;
    throw new FlowError('--webhook-token-secret takes the name of a secret: letters and digits');
  }
  if (file === undefined) return undefined;
  try {
    return credentialFile.read(file);
  } catch (error) {
    if (!(error instanceof NotAccepted)) throw error;
    throw new FlowError(`--webhook-token-file ${error.message}: it takes ${credentialFile.words}`);
  }
}
