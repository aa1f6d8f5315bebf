import { existsSync } from 'node:fs';
import { print, runCommand } from '../../contract/command.ts';
import { readCommandLine, usageError } from '../command-line.ts';
import { mayChange } from '../endpoints.ts';
import { SettingsError } from '../fields.ts';
import { addEntries, marker, readYaml, writeYaml } from '../yaml-file.ts';
import {
  asFields,
  asList,
  type OpenApiDocument,
  type Operation,
  readDocument,
} from './document.ts';
import { createEndpoint } from './endpoint.ts';

const command = 'npm run endpoints';

const help = `Writes the protected endpoints of your OpenAPI document (3.0 or 3.1, YAML or JSON) into targets.yaml.

  npm run endpoints -- openapi.yaml                adds what the file lacks; creates the file if there is none
  npm run endpoints -- openapi.yaml --writes       also POST, PUT, PATCH and DELETE, which the gate calls for real
  npm run endpoints -- openapi.yaml --targets FILE --target NAME    another file, one of its targets

An operation is protected if it, or the document, has a security requirement. Values come from the document's examples,
defaults, enums and schemas. Where only you know a value, such as an id, the file has ${marker}, and is refused until you
replace it. Endpoints that the file has already are kept as they are.
Exit codes: 0 written, or nothing to add · 2 the document or the file cannot be used · 3 a defect of this suite
`;

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = readCommandLine(command, {
    args: [...args],
    allowPositionals: true,
    options: {
      writes: { type: 'boolean', default: false },
      targets: { type: 'string', default: 'targets.yaml' },
      target: { type: 'string' },
    },
  });
  const { writes, targets: file, target } = values;
  const [source, another] = positionals;
  if (source === undefined || another) throw usageError(command, 'name one OpenAPI document');
  const document = await readDocument(source, writes);
  const opened = openTarget(file, target, document);
  const { chosen, kept, leftOut } = choose(document.operations, opened.existing.map(readName));
  const added = chosen.map((operation) => createEndpoint(operation, document.names));
  await addEndpoints(opened, added);
  const lines = [
    `endpoints in ${file}: ${added.length} written, ${kept} kept`,
    JSON.stringify(added).includes(marker) && `to fill in: replace each ${marker} in the file`,
    leftOut !== '' && `left out: ${leftOut}`,
  ];
  return print(`${lines.filter((line) => line !== false).join('\n')}\n`);
}

/**
 * Opens a targets file at one of its targets. A file that does not exist begins with a target for the document.
 * @param name of the target, needed if the file has several
 * @throws SettingsError of one line
 */
function openTarget(file: string, name: string | undefined, source: OpenApiDocument) {
  const { document, value } = readYaml(file, existsSync(file) ? undefined : newFile(name, source));
  const { defaults, targets } = asFields(value);
  const all = asList(targets).map(asFields);
  const [only, another] = all;
  const wanted = name ?? (another === undefined ? only?.name : undefined);
  const index = all.findIndex((target) => wanted !== undefined && target.name === wanted);
  const names = all.map((target) => target.name).join(', ') || 'none';
  if (index < 0) throw new SettingsError(`${file}: name a target with --target, of: ${names}`);
  const { endpoints } = { ...asFields(defaults), ...all[index] };
  return { file, document, path: ['targets', index], existing: asList(endpoints) };
}

/** A file with one target without endpoints. */
function newFile(name: string | undefined, { file, url }: OpenApiDocument): string {
  return `# Endpoints from ${file}. The keys are in the environment or in .env, never here.
targets:
  - name: ${name ?? 'api'}
    url: ${url ?? marker}
    credentials: { apiKeyEnv: PUBLIC_API_KEY, secretKeyEnv: PUBLIC_API_SECRET_KEY }
`;
}

/** An endpoint of the file without its query: `GET /public-api/v1/widgets/42`. */
function readName(endpoint: unknown): string {
  const { method, path } = asFields(endpoint);
  const text = typeof endpoint === 'string' ? endpoint : `${method} ${path}`;
  return text.trim().replaceAll(/\s+/g, ' ').replace(/\?.*/, '');
}

/** The operations that are written, how many the file has already, and why the others are left out. */
function choose(operations: readonly Operation[], existing: readonly string[]) {
  const owners = existing.flatMap((name) => findOperation(name, operations) ?? []);
  const { '': chosen = [], ...others } = Object.groupBy(
    operations.filter((operation) => !owners.includes(operation)),
    ({ reason = '' }) => reason,
  );
  const reasons = Object.entries(others).map(([reason, group]) => `${group?.length} ${reason}`);
  return { chosen, kept: owners.length, leftOut: reasons.join(', ') };
}

/** The operation that an endpoint is a call of: the one with the fewest placeholders. */
function findOperation(name: string, operations: readonly Operation[]): Operation | undefined {
  const parts = name.split('/');
  const isCall = ({ method, path }: Operation): boolean => {
    const own = `${method} ${path}`.split('/');
    return own.length === parts.length && own.every((p, at) => p.includes('{') || p === parts[at]);
  };
  return operations
    .filter(isCall)
    .sort((a, b) => a.path.split('{').length - b.path.split('{').length)[0];
}

/** Adds endpoints, in the short form if that is enough. Comments and order of the file stay. */
async function addEndpoints(
  { file, document, path, existing }: ReturnType<typeof openTarget>,
  added: readonly ReturnType<typeof createEndpoint>[],
): Promise<void> {
  // A file to which nothing is added stays as it is formatted.
  if (added.length === 0) return;
  if (added.some(mayChange)) document.setIn([...path, 'writes'], true);
  const entries = added.map(({ method, path, fields }) => {
    const lines = Object.entries(fields).map(
      ([name, value]) => [name, document.createNode(value, { flow: true })] as const,
    );
    return lines.length === 0
      ? `${method} ${path}`
      : { method, path, ...Object.fromEntries(lines) };
  });
  const list = [...path, 'endpoints'];
  // A list elsewhere in the file may be that of other targets too.
  if (!document.hasIn([...list, 0])) document.setIn(list, document.createNode(existing));
  addEntries(document, list, entries);
  await writeYaml(file, document);
}

await runCommand(main, help);
