import path from 'node:path';
import * as v from 'valibot';
import { fitsBearer } from '../contract/http/http-request.ts';
import type { Proxies } from '../contract/http/proxy.ts';
import { isIntrusive, needsClock, type Probe } from '../contract/probe.ts';
import type { Scrubber } from '../contract/secrets/scrub.ts';
import { Secret, seal } from '../contract/secrets/secret.ts';
import { type Accepted, baseAddress, brokerAddress, plainAddress } from './accepted.ts';
import { endpointList } from './endpoint-fields.ts';
import * as fields from './fields.ts';
import { certificates, credentialFile } from './files.ts';
import type { Environment } from './table.ts';

/** What the file refers to. */
export interface FileContext {
  /** File names in the file are relative to this folder. */
  readonly folder: string;
  /** The variables that `apiKeyEnv` and `secretKeyEnv` may name. */
  readonly env: Environment;
  /** All probes, including those that a monitor cannot run. */
  readonly probes: readonly Probe[];
  /** Learns each credential. */
  readonly scrubber: Scrubber;
}

const hour = 3600;
const day = 24 * hour;

const located = (name: string, { folder }: FileContext): string =>
  path.isAbsolute(name) ? name : path.join(folder, name);

const inFile = <Value>(content: Accepted<Value>, context: FileContext) =>
  v.pipe(
    v.string('is not the name of a file'),
    v.transform((name) => located(name, context)),
    content,
  );

const learned = (secret: Secret, { scrubber }: FileContext): Secret => {
  scrubber.learn(secret);
  return secret;
};

/** A credential is never in the file: `…Env` names a variable, and is not shown: users write the key itself there. */
const inVariable = (context: FileContext) =>
  fields.called(
    'the name of an environment variable',
    v.pipe(
      v.string(),
      v.regex(/^[A-Za-z_]\w*$/),
      v.transform((name) => (Object.hasOwn(context.env, name) ? (context.env[name] ?? '') : '')),
      v.nonEmpty('names a variable that is not set, or is empty'),
      v.transform((text) => learned(new Secret(text), context)),
    ),
  );

const inSecretFile = (context: FileContext) =>
  v.pipe(
    inFile(credentialFile(), context),
    v.transform((secret) => learned(secret, context)),
  );

/** The value that is given; undefined if none is, or both are. */
const only = <Value>(first: Value | undefined, second: Value | undefined): Value | undefined =>
  first === undefined || second === undefined ? (first ?? second) : undefined;

const needsKeys =
  'needs either apiKeyEnv or apiKeyFile, and either secretKeyEnv or secretKeyFile: say where the keys are';

const account = (context: FileContext) =>
  v.pipe(
    fields.map('where both keys are: { apiKeyEnv: NAME, secretKeyEnv: NAME }', {
      apiKeyEnv: v.optional(inVariable(context)),
      apiKeyFile: v.optional(inSecretFile(context)),
      secretKeyEnv: v.optional(inVariable(context)),
      secretKeyFile: v.optional(inSecretFile(context)),
    }),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      const apiKey = only(value.apiKeyEnv, value.apiKeyFile);
      const secretKey = only(value.secretKeyEnv, value.secretKeyFile);
      if (apiKey !== undefined && secretKey !== undefined) return { apiKey, secretKey };
      addIssue({ message: needsKeys });
      return NEVER;
    }),
  );

/** Where alerts are posted: an Alertmanager, or any webhook that takes its form. */
export interface AlertReceiver {
  /** Its name for users: `Alertmanager at HOST`. The path of a webhook may be secret. */
  readonly title: string;
  readonly url: URL;
  /** The whole `Authorization` header. */
  readonly authorization?: Secret | undefined;
  /** Certificates (PEM) trusted instead of the system's. */
  readonly ca?: string | undefined;
  readonly proxies?: Proxies | undefined;
}

const receiver = (context: FileContext) =>
  v.pipe(
    fields.map('{ alertmanager: https://alertmanager.example.com } or { webhook: … }', {
      alertmanager: v.optional(brokerAddress),
      webhook: v.optional(plainAddress),
      bearerEnv: v.optional(inVariable(context)),
      bearerFile: v.optional(inSecretFile(context)),
      ca: v.optional(inFile(certificates, context)),
    }),
    v.check(
      ({ alertmanager, webhook }) => only(alertmanager, webhook) !== undefined,
      'needs an address, either as alertmanager or as webhook',
    ),
    v.check(
      ({ bearerEnv, bearerFile }) => bearerEnv === undefined || bearerFile === undefined,
      'has both bearerEnv and bearerFile: keep one of them',
    ),
    v.check(
      ({ bearerEnv, bearerFile }) => (bearerEnv ?? bearerFile)?.is(fitsBearer) ?? true,
      'has a bearer token with white space or a control character',
    ),
    v.transform(({ alertmanager, webhook, bearerEnv, bearerFile, ca }): AlertReceiver => {
      const { host, href } = alertmanager ?? webhook ?? new URL('invalid:');
      const token = bearerEnv ?? bearerFile;
      return {
        title: `${alertmanager === undefined ? 'webhook' : 'Alertmanager'} at ${host}`,
        url: webhook ?? new URL(`${href.replace(/\/$/, '')}/api/v2/alerts`),
        authorization: token && seal`Bearer ${token}`,
        ca,
      };
    }),
  );

/** Labels that every series of a target has: Prometheus would rename ours to `exported_…`. */
const ofSeries = 'clause, endpoint, le, outcome, phase, reason, state, target, verdict, version';

const labels = fields.named(
  'names with texts, such as { team: payments }',
  v.pipe(
    v.string(),
    v.regex(/^[a-zA-Z_]\w*$/, 'is not a label name: letters, digits and _, no digit first'),
    v.check(
      (name) => !ofSeries.split(', ').includes(name) && !name.startsWith('__'),
      `is reserved: choose another name than ${ofSeries} and __…`,
    ),
  ),
  fields.text,
);

/** The probe of an endpoint's payload. */
export const payloadProbeName = 'the-payload-is-as-its-schema-says';

const chosenProbes = ({ probes }: FileContext) =>
  v.pipe(
    fields.named(
      'names of probes, each with off or { every: 5m }',
      v.string(),
      fields.offOrEvery(1, 30 * day),
    ),
    v.rawCheck(({ dataset, addIssue }) => {
      for (const [key, value] of dataset.typed ? Object.entries(dataset.value) : []) {
        const message = whyNotProbe(key, value === 'off', probes);
        const at = { type: 'object', origin: 'key', input: {}, key, value } as const;
        if (message !== undefined) addIssue({ message, path: [at] });
      }
    }),
  );

function whyNotProbe(name: string, isOff: boolean, probes: readonly Probe[]): string | undefined {
  if (name === payloadProbeName) return undefined;
  const probe = probes.find((candidate) => candidate.name === name);
  if (probe === undefined) {
    const names = probes.map((candidate) => candidate.name);
    return `is not a probe${fields.hint(name, names)} (npm run gate -- --list shows all)`;
  }
  if (isOff || (!needsClock(probe) && (probe.everySeconds !== undefined || isIntrusive(probe))))
    return undefined;
  const why = needsClock(probe) ? 'it needs simulated time' : 'in production it proves nothing';
  return `is not a probe for a monitor: ${why}`;
}

/** The fields that the defaults and a target have in common. */
const commonFields = (context: FileContext) => ({
  endpoints: v.optional(endpointList((name) => located(name, context))),
  period: v.optional(fields.duration(1, day)),
  timeout: v.optional(fields.duration(1, hour / 6)),
  ca: v.optional(inFile(certificates, context)),
  rate: v.optional(fields.number('a number of requests a second', 0.001, 100_000)),
  tolerance: v.optional(fields.duration(1, hour)),
  canaries: v.optional(fields.offOrEvery(hour / 6, 7 * day)),
  probes: v.optional(chosenProbes(context), {}),
  intrusive: v.optional(fields.flag),
  writes: v.optional(fields.flag),
  maintenance: v.optional(fields.list('a list of windows', fields.window, 0)),
  labels: v.optional(labels, {}),
  objective: v.optional(fields.number('the share of runs that must get an answer', 0.5, 0.99999)),
  slow: v.optional(fields.duration(0.01, 60, 'ms|s|m')),
});

/** A targets file; schemas/monitor-config.json is generated from it. */
export const targetsFileSchema = (context: FileContext) =>
  fields.map('a map that holds targets, and perhaps defaults', {
    defaults: v.optional(fields.map('what holds for every target', commonFields(context)), {}),
    targets: fields.list(
      'a list of one or more targets',
      fields.map('a target with a name, a url and credentials', {
        name: fields.called(
          'a name of at most 63 small letters, digits and hyphens, which does not begin with a hyphen',
          v.pipe(v.string(), v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/)),
        ),
        url: baseAddress,
        credentials: account(context),
        ...commonFields(context),
      }),
    ),
    notify: v.optional(
      fields.list(
        'a list of receivers such as { alertmanager: https://alertmanager.example.com }',
        receiver(context),
        0,
      ),
      [],
    ),
  });

export type TargetsFile = v.InferOutput<ReturnType<typeof targetsFileSchema>>;
