import path from 'node:path';
import * as v from 'valibot';
import { fitsBearer } from '../contract/http/http-request.ts';
import type { Proxies } from '../contract/http/proxy.ts';
import { isIntrusive, needsClock, type Probe } from '../contract/probe.ts';
import type { Scrubber } from '../contract/secrets/scrub.ts';
import { Secret, seal } from '../contract/secrets/secret.ts';
import { type Accepted, baseAddress, brokerAddress, plainAddress } from './accepted.ts';
import { endpointList } from './endpoint-fields.ts';
import {
  duration,
  flag,
  hint,
  list,
  map,
  named,
  nearWord,
  number,
  offOrEvery,
  text,
  window,
} from './fields.ts';
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
  v.pipe(
    v.string('is not the name of an environment variable'),
    v.regex(/^[A-Za-z_]\w*$/, 'is not the name of an environment variable'),
    v.check(
      (name) => Object.hasOwn(context.env, name) && context.env[name] !== '',
      'names a variable that is not set, or is empty',
    ),
    v.transform((name) => learned(new Secret(context.env[name] ?? ''), context)),
  );

const inSecretFile = (context: FileContext) =>
  v.pipe(
    inFile(credentialFile(), context),
    v.transform((secret) => learned(secret, context)),
  );

const needsKeys =
  'needs either apiKeyEnv or apiKeyFile, and either secretKeyEnv or secretKeyFile: say where the keys are';

const account = (context: FileContext) =>
  v.pipe(
    map(
      'where both keys are: { apiKeyEnv: NAME, secretKeyEnv: NAME }, or apiKeyFile and secretKeyFile',
      {
        apiKeyEnv: v.optional(inVariable(context)),
        apiKeyFile: v.optional(inSecretFile(context)),
        secretKeyEnv: v.optional(inVariable(context)),
        secretKeyFile: v.optional(inSecretFile(context)),
      },
    ),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
      const [apiKey, ...otherKeys] = [value.apiKeyEnv ?? [], value.apiKeyFile ?? []].flat();
      const [secretKey, ...others] = [value.secretKeyEnv ?? [], value.secretKeyFile ?? []].flat();
      if (apiKey && secretKey && otherKeys.length + others.length === 0)
        return { apiKey, secretKey };
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
    map(
      '{ alertmanager: https://alertmanager.example.com } or { webhook: https://hooks.example.com/contract }',
      {
        alertmanager: v.optional(brokerAddress),
        webhook: v.optional(plainAddress),
        bearerEnv: v.optional(inVariable(context)),
        bearerFile: v.optional(inSecretFile(context)),
        ca: v.optional(inFile(certificates, context)),
      },
    ),
    v.rawTransform(({ dataset: { value }, addIssue, NEVER }): AlertReceiver => {
      const { alertmanager, webhook, bearerEnv, bearerFile, ca } = value;
      const [url, second] = [alertmanager ?? [], webhook ?? []].flat();
      const [token, other] = [bearerEnv ?? [], bearerFile ?? []].flat();
      if (url === undefined || second !== undefined) {
        addIssue({ message: 'needs an address, either as alertmanager or as webhook' });
        return NEVER;
      }
      if (other !== undefined)
        addIssue({ message: 'has both bearerEnv and bearerFile: keep one of them' });
      if (token?.is(fitsBearer) === false)
        addIssue({ message: 'has a bearer token with white space or a control character' });
      const kind = alertmanager === undefined ? 'webhook' : 'Alertmanager';
      const base = url.href.replace(/\/$/, '');
      return {
        title: `${kind} at ${url.host}`,
        url: alertmanager === undefined ? url : new URL(`${base}/api/v2/alerts`),
        authorization: token && seal`Bearer ${token}`,
        ca,
      };
    }),
  );

/** Labels that every series of a target has: Prometheus would rename ours to `exported_…`. */
const ofSeries = 'clause, fact, le, outcome, phase, probe, reason, state, target, verdict, version';

const labels = named(
  'names with texts, such as { team: payments }',
  v.pipe(
    v.string(),
    v.regex(/^[a-zA-Z_]\w*$/, 'is not a label name: letters, digits and _, no digit first'),
    v.check(
      (name) => !ofSeries.split(', ').includes(name) && !name.startsWith('__'),
      `is reserved: choose another name than ${ofSeries} and __…`,
    ),
  ),
  text,
);

/** The probe of an endpoint's payload. */
export const payloadProbeName = 'the-payload-is-as-its-schema-says';

const chosenProbes = ({ probes }: FileContext) =>
  v.pipe(
    named('names of probes, each with off or { every: 5m }', v.string(), offOrEvery(1, 30 * day)),
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
    const near = nearWord(name, names);
    return `is not a probe${hint(near)} (npm run gate -- --list shows all)`;
  }
  if (isOff || (!needsClock(probe) && (probe.everySeconds !== undefined || isIntrusive(probe))))
    return undefined;
  const why = needsClock(probe) ? 'it needs simulated time' : 'in production it proves nothing';
  return `is not a probe for a monitor: ${why}`;
}

/** The fields that the defaults and a target have in common. */
const commonFields = (context: FileContext) => ({
  endpoints: v.optional(endpointList((name) => located(name, context))),
  period: v.optional(duration(1, day)),
  timeout: v.optional(duration(1, hour / 6)),
  ca: v.optional(inFile(certificates, context)),
  rate: v.optional(number('a number of requests a second', 0.001, 100_000)),
  tolerance: v.optional(duration(1, hour)),
  canaries: v.optional(offOrEvery(hour / 6, 7 * day)),
  probes: v.optional(chosenProbes(context), {}),
  intrusive: v.optional(flag),
  writes: v.optional(flag),
  maintenance: v.optional(list('a list of windows', window, 0)),
  labels: v.optional(labels, {}),
  objective: v.optional(number('the share of runs that must get an answer', 0.5, 0.99999)),
  slow: v.optional(duration(0.01, 60, ['ms', 's', 'm'])),
});

const targetName =
  'a name of at most 63 small letters, digits and hyphens, which does not begin with a hyphen';

/** A targets file; schemas/monitor-config.json is generated from it. */
export const targetsFileSchema = (context: FileContext) =>
  map('a map that holds targets, and perhaps defaults', {
    defaults: v.optional(map('what holds for every target', commonFields(context)), {}),
    targets: list(
      'a list of one or more targets',
      map('a target with a name, a url and credentials', {
        name: v.pipe(
          v.string(`is not ${targetName}`),
          v.regex(/^[a-z0-9][a-z0-9-]{0,62}$/, `is not ${targetName}`),
          v.title(targetName),
        ),
        url: baseAddress,
        credentials: account(context),
        ...commonFields(context),
      }),
    ),
    notify: v.optional(
      list(
        'a list of receivers such as { alertmanager: https://alertmanager.example.com }',
        receiver(context),
        0,
      ),
      [],
    ),
  });

export type TargetsFile = v.InferOutput<ReturnType<typeof targetsFileSchema>>;
