import { readFileSync } from 'node:fs';
import { toJsonSchema } from '@valibot/to-json-schema';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';
import { settings } from '../../config/table.ts';
import { targetsFileSchema } from '../../config/targets-file.ts';
import { type Clause, clauses } from '../../contract/clauses.ts';
import { metrics } from '../../monitor/metrics/metrics.ts';
import { type ProviderState, states } from '../../pacts/states.ts';
import { createAnchor, formatTable } from './markdown.ts';

/** Every clause, with links to the sections of contract/README.md that it comes from. */
const clauseTable = (): string =>
  formatTable(
    ['id', 'what must hold', 'from'],
    clauses.map(({ id, text, source }) => [id, text, linksTo(source)]),
  );

/** `Errors; Authentication 5` as links. The number is the position in the list below the heading. */
const linksTo = (source: Clause['source']): string =>
  source
    .split('; ')
    .map((place) => `[${place}](#${createAnchor(place.replace(/ \d+$/, ''))})`)
    .join('; ');

/** Every provider state, with the parameters that its name does not show. */
const stateTable = (): string =>
  formatTable(
    ['provider state', 'gives', 'means'],
    Object.entries<ProviderState>(states).map(([name, { means, gives, parameters }]) => {
      const further = parameters.filter((parameter) => !name.includes(`{${parameter}}`));
      return [
        [`\`${name}\``, ...further.map((parameter) => `{${parameter}}`)].join(' '),
        gives.map((value) => `\`${value}\``).join(', '),
        means,
      ];
    }),
  );

/** Every metric. */
const metricTable = (): string =>
  formatTable(
    ['metric', 'type', 'labels', 'meaning'],
    metrics.map(({ name, type, labels, help }) => [`\`${name}\``, type, labels.join(', '), help]),
  );

const readProjectFile = (file: string): string =>
  readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

/** The lines about a setting in `.env.example`: its meaning, what is accepted, and the setting with an example. */
const paragraph = (name: string): RegExp =>
  new RegExp(`^# (.+)\\n(?:# accepted: .*\\n)?#${name}=(.+)$`, 'm');

function findMeaning(name: string): string {
  const meaning = paragraph(name).exec(readProjectFile('.env.example'))?.[1];
  if (meaning !== undefined) return meaning;
  throw new Error(`.env.example has no lines "# what it means" and "#${name}=an example"`);
}

/** The text of `.env.example`, in which each setting is written by hand, with what it accepts. */
const envExample = (): string =>
  settings.reduce(
    (text, { name, words }) =>
      text.replace(
        paragraph(name),
        (_, meaning, value) => `# ${meaning}\n# accepted: ${words}\n#${name}=${value}`,
      ),
    readProjectFile('.env.example'),
  );

/** The tables of settings, one for each group of commands that reads them. */
const settingTables = (): string =>
  [...Map.groupBy(settings, findReader)]
    .map(([reader, group]) => {
      const rows = group.map(({ name, unset, words }) => [
        `\`${name}\``,
        findMeaning(name),
        unset === undefined ? 'none' : `\`${unset}\``,
        words,
      ]);
      return `\n## ${reader}\n\n${formatTable(['name', 'meaning', 'default', 'accepted'], rows)}\n`;
    })
    .join('');

function findReader({ name }: { readonly name: string }): string {
  if (name.endsWith('_PROXY')) return 'The network';
  if (name.startsWith('PUBLIC_API_')) return 'The provider';
  return name.startsWith('MONITOR_') ? 'The monitor' : 'The Pact Broker';
}

/** `schemas/targets.json`, for editors: what JSON Schema cannot say is checked by the monitor alone. */
function targetsSchemaText(): string {
  const schema = toJsonSchema(targetsFileSchema('', {}, []), {
    target: 'draft-2020-12',
    typeMode: 'output',
    errorMode: 'ignore',
    // The names of probes are not in it: they change more often.
    overrideSchema: ({ jsonSchema }) =>
      jsonSchema.enum?.length === 0 ? { type: 'string' } : undefined,
  });
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:public-api:targets',
    description:
      'The targets file that PUBLIC_API_TARGETS names. targets.example.yaml documents it.',
  };
  return `${JSON.stringify({ ...head, ...schema, ...head }, undefined, 2)}\n`;
}

/** The schemas that every command needs, by the names of their validators. */
const shapes = {
  tokenRequest: 'token-request',
  successEnvelope: 'success-envelope',
  errorEnvelope: 'error-envelope',
};

/** `schemas/validators.js`: the validators of the contract's bodies, as ajv compiles them. */
function validatorsText(): string {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    code: { source: true, esm: true, lines: true },
  });
  for (const [name, file] of Object.entries(shapes))
    ajv.addSchema(JSON.parse(readProjectFile(`schemas/${file}.json`)) as AnySchema, name);
  const names = Object.fromEntries(Object.keys(shapes).map((name) => [name, name]));
  const why = 'loading ajv and compiling them would take each start 50 ms.';
  const head = `// Written by npm run docs, from the schemas of this folder: ${why}\n`;
  return head + withImports(standalone.default(ajv, names));
}

/** Replaces `require` by `import`: ajv uses `require` even in a module that it writes (ajv-validator/ajv#2209). */
const withImports = (code: string): string =>
  code.replaceAll(
    /const (\w+) = require\("([^"]+)"\)\.default;/g,
    (_, name, file) => `import ${name}_ from '${file}.js';\nconst ${name} = ${name}_.default;`,
  );

/** Generated texts by their path from the root: a part of a document, between the markers with its name, or a whole file. */
export const generated: readonly { file: string; part?: string; text: () => string }[] = [
  { file: 'contract/README.md', part: 'clauses', text: clauseTable },
  { file: 'pacts/README.md', part: 'states', text: stateTable },
  { file: 'config/README.md', part: 'settings', text: settingTables },
  { file: 'monitor/metrics.md', part: 'metrics', text: metricTable },
  { file: '.env.example', text: envExample },
  { file: 'schemas/targets.json', text: targetsSchemaText },
  { file: 'schemas/validators.js', text: validatorsText },
];
