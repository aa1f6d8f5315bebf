import path from 'node:path';
import * as v from 'valibot';
import { fitsBearer } from '../contract/http/http-request.ts';
import type { Proxies } from '../contract/http/proxy.ts';
import { Secret, seal } from '../contract/secrets/secret.ts';
import { type Accepted, address, baseAddress, Unaccepted } from './accepted.ts';
import { endpointList } from './endpoint-fields.ts';
import * as fields from './fields.ts';
import { certificates, credentialFile, privateKey, writableFile } from './files.ts';
import { deviations } from './known-file.ts';
import type { Environment } from './table.ts';

const hour = 3600;
const day = 24 * hour;

const secretOf = (text: string): Secret => new Secret(text);

type References = ReturnType<typeof referencesFor>;

/** The fields that refer to something else. A credential is never in the file itself. */
function referencesFor(folder: string, env: Environment) {
  const locate = (name: string): string => (path.isAbsolute(name) ? name : path.join(folder, name));
  const inFile = <Value>(content: Accepted<Value>) =>
    v.pipe(v.string('is not the name of a file'), v.transform(locate), fields.accepted(content));
  // What the variable is called is not shown: users write the key itself there.
  const variable = v.pipe(
    fields.text('the name of an environment variable', /^[A-Za-z_]\w*$/),
    v.transform((name) => (Object.hasOwn(env, name) ? (env[name] ?? '') : '')),
    v.nonEmpty('names a variable that is not set, or is empty'),
    v.transform(secretOf),
  );
  return {
    locate,
    inFile,
    ca: v.optional(inFile(certificates)),
    client: v.optional(
      fields.map('{ cert: FILE, key: FILE }', {
        cert: inFile(certificates),
        key: v.pipe(inFile(privateKey), v.transform(secretOf)),
      }),
    ),
    inVariable: v.optional(variable),
    inSecretFile: v.optional(inFile(credentialFile)),
  };
}

/** The value that is given; undefined if none is, or both are. */
const only = <Value>(first: Value | undefined, second: Value | undefined): Value | undefined =>
  first === undefined || second === undefined ? (first ?? second) : undefined;

const account = ({ inVariable, inSecretFile }: References) =>
  v.pipe(
    fields.map('where both keys are: { apiKeyEnv: NAME, secretKeyEnv: NAME }', {
      apiKeyEnv: inVariable,
      apiKeyFile: inSecretFile,
      secretKeyEnv: inVariable,
      secretKeyFile: inSecretFile,
    }),
    fields.reading(({ apiKeyEnv, apiKeyFile, secretKeyEnv, secretKeyFile }) => {
      const apiKey = only(apiKeyEnv, apiKeyFile);
      const secretKey = only(secretKeyEnv, secretKeyFile);
      if (apiKey !== undefined && secretKey !== undefined) return { apiKey, secretKey };
      throw new Unaccepted(
        'needs either apiKeyEnv or apiKeyFile, and either secretKeyEnv or secretKeyFile: say where the keys are',
      );
    }),
  );

const receiver = ({ inVariable, inSecretFile, ca }: References) =>
  v.pipe(
    fields.map('{ alertmanager: https://alertmanager.example.com } or { webhook: … }', {
      alertmanager: v.optional(fields.accepted(address)),
      webhook: v.optional(fields.accepted(address)),
      bearerEnv: inVariable,
      bearerFile: inSecretFile,
      ca,
    }),
    fields.reading(({ alertmanager, webhook, bearerEnv, bearerFile, ca: trusted }) => {
      const url = only(alertmanager, webhook);
      const token = bearerEnv ?? bearerFile;
      if (url === undefined)
        throw new Unaccepted('needs an address, either as alertmanager or as webhook');
      if (token?.is(fitsBearer) === false)
        throw new Unaccepted('has a bearer token with white space or a control character');
      return {
        /** Its name for users: `Alertmanager at HOST`. The path of a webhook may be secret. */
        title: `${webhook === undefined ? 'Alertmanager' : 'webhook'} at ${url.host}`,
        url: webhook ?? new URL(`${url.href.replace(/\/$/, '')}/api/v2/alerts`),
        /** The whole `Authorization` header. */
        authorization: token && seal`Bearer ${token}`,
        ca: trusted,
      };
    }),
  );

const labels = fields.named(
  'names with texts, such as { team: payments }',
  fields.text('a label name: letters, digits and _, no digit first', /^[a-zA-Z_]\w*$/),
  fields.oneLine,
);

const chosenProbes = fields.named(
  'names of probes, each with off or { every: 5m }',
  v.string(),
  fields.offOrEvery(1, 30 * day),
);

/** The test clock of the provider. */
const clock = ({ inFile }: References) => {
  const words = '{ url: https://… } or { file: … }, a file in a folder that exists';
  const forms = [
    fields.map(words, { url: fields.accepted(address) }),
    fields.map(words, { file: inFile(writableFile) }),
  ] as const;
  return v.union(forms, `is not ${words}`);
};

const ofMonitor = {
  period: v.optional(fields.duration(1, day)),
  tolerance: v.optional(fields.duration(1, hour)),
  canaries: v.optional(fields.offOrEvery(hour, 7 * day)),
  probes: v.optional(chosenProbes, {}),
  intrusive: v.optional(fields.flag),
  maintenance: v.optional(fields.list('a list of windows', fields.window, 0)),
  labels: v.optional(labels, {}),
  objective: v.optional(fields.number('the share of runs that must get an answer', 0.5, 0.99999)),
};

const monitor = fields.map('what only the monitor needs, such as { period: 60s }', ofMonitor);

const belowMonitor = Object.fromEntries(Object.keys(ofMonitor).map((name) => [name, 'monitor']));

/** The fields that the defaults and a target have in common. */
const commonFields = (references: References) => ({
  endpoints: v.optional(endpointList(references.locate)),
  timeout: v.optional(fields.duration(1, hour / 6)),
  ca: references.ca,
  client: references.client,
  clock: v.optional(clock(references)),
  known: v.optional(deviations),
  rate: v.optional(fields.rate),
  tokenRate: v.optional(fields.rate),
  wrongCredentials: v.optional(fields.number('how many wrong secrets are sent', 0, 1000)),
  writes: v.optional(fields.flag),
  monitor: v.optional(monitor, {}),
});

/**
 * A targets file; schemas/targets.json is generated from it.
 * @param folder of the files that it names @param env the variables that it names
 */
export function targetsFileSchema(folder: string, env: Environment) {
  const references = referencesFor(folder, env);
  const common = commonFields(references);
  const name = fields.text(
    'a name of at most 63 small letters, digits and hyphens, which does not begin with a hyphen',
    /^[a-z0-9][a-z0-9-]{0,62}$/,
  );
  const own = {
    name,
    url: fields.accepted(baseAddress),
    credentials: account(references),
    secondCredentials: v.optional(account(references)),
  };
  const target = fields.map(
    'a target with a name, a url and credentials',
    { ...own, ...common },
    belowMonitor,
  );
  const receivers = fields.list(
    'a list of receivers such as { alertmanager: https://alertmanager.example.com }',
    receiver(references),
    0,
  );
  return fields.map('a map that holds targets, and perhaps defaults', {
    defaults: v.optional(fields.map('what holds for every target', common, belowMonitor), {}),
    targets: fields.list('a list of one or more targets', target),
    notify: v.optional(receivers, []),
  });
}

export type TargetsFile = v.InferOutput<ReturnType<typeof targetsFileSchema>>;

/** Where alerts are posted: an Alertmanager, or any webhook that takes its form. */
export type AlertReceiver = Partial<TargetsFile['notify'][number]> & {
  readonly title: string;
  readonly url: URL;
  readonly proxies?: Proxies | undefined;
};
