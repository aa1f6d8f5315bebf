import path from 'node:path';
import * as v from 'valibot';
import { fitsBearer } from '../contract/http/http-request.ts';
import { Secret } from '../contract/secrets/secret.ts';
import { address, baseAddress, clockHeaders, rate } from './accepted.ts';
import { endpointList } from './endpoints.ts';
import * as fields from './fields.ts';
import { certificates, credentialFile, privateKey, writableFile } from './files.ts';
import { deviations } from './known-file.ts';
import type { Environment } from './table.ts';

type References = ReturnType<typeof referencesFor>;

/** The fields that refer to something else. A credential is never in the file itself. */
function referencesFor(folder: string, env: Environment) {
  const locate = (name: string): string => path.resolve(folder, name);
  const inFile = <Value>(content: fields.Kind<Value>) =>
    v.pipe(v.string('is not the name of a file'), v.transform(locate), content);
  // What the variable is called is not shown: users write the key itself there.
  const variable = v.pipe(
    fields.matching('the name of an environment variable', /^[A-Za-z_]\w*$/),
    v.transform((name) => (Object.hasOwn(env, name) ? (env[name] ?? '') : '')),
    v.nonEmpty('names a variable that is not set, or is empty'),
  );
  const toSecret = v.transform((text: string) => new Secret(text));
  return {
    inFile,
    variable,
    ca: v.optional(inFile(certificates)),
    secretVariable: v.optional(v.pipe(variable, toSecret)),
    secretFile: v.optional(inFile(credentialFile)),
  };
}

const account = ({ secretVariable, secretFile }: References) =>
  v.pipe(
    fields.map('where both keys are: { apiKeyEnv: NAME, secretKeyEnv: NAME }', {
      apiKeyEnv: secretVariable,
      apiKeyFile: secretFile,
      secretKeyEnv: secretVariable,
      secretKeyFile: secretFile,
    }),
    fields.transform(({ apiKeyEnv, apiKeyFile, secretKeyEnv, secretKeyFile }) => {
      const apiKey = apiKeyEnv ?? apiKeyFile;
      const secretKey = secretKeyEnv ?? secretKeyFile;
      if (apiKey !== undefined && secretKey !== undefined) return { apiKey, secretKey };
      throw new fields.SettingsError(
        'needs apiKeyEnv or apiKeyFile, and secretKeyEnv or secretKeyFile: say where the keys are',
      );
    }),
  );

/** Where alerts are posted, in Alertmanager's form. */
const receiver = ({ secretVariable, secretFile, ca }: References) =>
  v.pipe(
    fields.map('{ url: https://alertmanager.example.com/api/v2/alerts }', {
      url: address,
      bearerEnv: secretVariable,
      bearerFile: secretFile,
      ca,
    }),
    v.transform(({ bearerEnv, bearerFile, ...to }) => ({ ...to, token: bearerEnv ?? bearerFile })),
    v.check(
      ({ token }) => token?.is(fitsBearer) !== false,
      'has a bearer token with white space or a control character',
    ),
  );

/** The test clock of the provider. Its headers are JSON in a variable, because their values may be secret. */
const clock = ({ inFile, variable }: References) => {
  const words = '{ url: https://… }, perhaps with headersEnv: NAME, or { file: … } in a folder';
  const headersEnv = v.optional(v.pipe(variable, clockHeaders));
  const overHttp = v.pipe(
    fields.map(words, { url: address, headersEnv }),
    v.transform(({ url, headersEnv: headers }) => ({ url, headers })),
  );
  const byFile = fields.map(words, { file: inFile(writableFile) });
  return fields.withMessage(words, v.union([overHttp, byFile]));
};

const monitor = (probes: readonly string[]) =>
  fields.map('what only the monitor needs, such as { period: 60s }', {
    period: v.optional(fields.duration('1s', '1d')),
    tolerance: v.optional(fields.duration('1s', '1h')),
    canaries: v.optional(fields.offOrEvery('1h', '7d')),
    probes: v.optional(
      fields.record(
        'names of probes, each with off or { every: 5m }',
        fields.listed('a probe', probes),
        fields.offOrEvery('1s', '30d'),
      ),
      {},
    ),
    intrusive: v.optional(fields.flag),
    maintenance: v.optional(fields.list('a list of windows', fields.window)),
    labels: v.optional(
      fields.record(
        'names with texts, such as { team: payments }',
        fields.matching('a label name: letters, digits and _, no digit first', /^[a-zA-Z_]\w*$/),
        fields.oneLine,
      ),
      {},
    ),
    objective: v.optional(fields.number('the share of runs that must get an answer', 0.5, 0.99999)),
  });

const commonFields = (references: References, probes: readonly string[]) => ({
  endpoints: v.optional(endpointList),
  timeout: v.optional(fields.duration('1s', '10m')),
  ca: references.ca,
  client: v.optional(
    fields.map('{ cert: FILE, key: FILE }', {
      cert: references.inFile(certificates),
      key: references.inFile(privateKey),
    }),
  ),
  clock: v.optional(clock(references)),
  known: v.optional(deviations, []),
  rate: v.optional(rate),
  tokenRate: v.optional(rate),
  wrongCredentials: v.optional(fields.number('how many wrong secrets are sent', 0, 1000)),
  writes: v.optional(fields.flag),
  monitor: v.optional(monitor(probes), {}),
});

/**
 * A targets file; schemas/targets.json is generated from it.
 * @param folder of the files that it names @param env the variables that it names @param probes the names of all
 */
export function targetsFileSchema(folder: string, env: Environment, probes: readonly string[]) {
  const references = referencesFor(folder, env);
  const common = commonFields(references, probes);
  const target = fields.map('a target with a name, a url and credentials', {
    name: fields.matching(
      'a name of at most 63 small letters, digits and hyphens, which does not begin with a hyphen',
      /^[a-z0-9][a-z0-9-]{0,62}$/,
    ),
    url: baseAddress,
    credentials: account(references),
    secondCredentials: v.optional(account(references)),
    ...common,
  });
  return fields.map('a map that holds targets, and perhaps defaults', {
    defaults: v.optional(fields.map('what holds for every target', common), {}),
    targets: v.pipe(
      fields.list('a list of one or more targets', target),
      v.minLength(1, 'is not a list of one or more targets'),
      v.checkItems(
        ({ name }, index, all) => all.findIndex((other) => other.name === name) === index,
        'has the name of a target above it',
      ),
    ),
    notify: v.optional(fields.list('a list of receivers', receiver(references)), []),
  });
}

export type TargetsFile = v.InferOutput<ReturnType<typeof targetsFileSchema>>;
