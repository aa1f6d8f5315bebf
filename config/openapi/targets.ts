import { existsSync } from 'node:fs';
import * as yaml from 'yaml';
import { marker } from '../contradictions.ts';
import { largest, readText } from '../files.ts';
import { SettingsError } from '../mistakes.ts';
import { readYaml } from '../yaml-file.ts';
import { type Fields, fieldsOf, listOf, type OpenApiDocument } from './document.ts';
import type { NewEndpoint } from './endpoint.ts';

/**
 * Opens a targets file to add endpoints to one target, or to the defaults if the target has none of its own. Comments
 * and order stay. A file that does not exist begins with a target for the OpenAPI document.
 * @param name of the target, needed if the file has several
 * @throws SettingsError of one line
 */
export function editTargets(file: string, name: string | undefined, source: OpenApiDocument) {
  const isNew = !existsSync(file);
  // It refuses what is not YAML.
  if (!isNew) readYaml(file);
  const text = isNew ? newFile(name, source) : readText(file, largest.targets);
  const document = yaml.parseDocument(text, { stringKeys: true, merge: true, logLevel: 'error' });
  const { holder, endpoints, writes } = placeIn(file, fieldsOf(document.toJS()), name);
  if (!yaml.isMap(document.getIn(holder, true)))
    throw new SettingsError([`${file}: ${holder.join('.')} is not a map: write its fields there`]);
  const path = [...holder, 'endpoints'];
  const list = document.getIn(path, true);
  if (endpoints.length > 0 && !yaml.isSeq(list))
    throw new SettingsError([
      `${file}: ${path.join('.')} is an alias or merged: write a list there`,
    ]);
  return {
    /** The endpoints that are there, without their queries: `GET /public-api/v1/widgets/42`. */
    existing: endpoints.map(nameOf),
    add(added: readonly NewEndpoint[]): void {
      if (!writes && added.some(({ method }) => !/^(GET|HEAD)$/.test(method)))
        document.setIn([...holder, 'writes'], true);
      const whole = yaml.isSeq(list) ? list : new yaml.YAMLSeq(document.schema);
      whole.flow = false;
      whole.items.push(...added.map((endpoint) => nodeOf(endpoint, document)));
      if (whole !== list) document.setIn(path, whole);
    },
    text: () => document.toString({ lineWidth: 0 }),
  };
}

/** A file with one target without endpoints. */
function newFile(name: string | undefined, { file, title, url }: OpenApiDocument): string {
  const words = title.toLowerCase().match(/[a-z0-9]+/g) ?? ['api'];
  return `# Endpoints from ${file}. The keys are in the environment or in .env, never here.
targets:
  - name: ${name ?? words.join('-').slice(0, 63)}
    url: ${url ?? marker}
    credentials: { apiKeyEnv: PUBLIC_API_KEY, secretKeyEnv: PUBLIC_API_SECRET_KEY }
`;
}

/** Where the endpoints of a target are, and those that are there. */
function placeIn(file: string, { defaults, targets }: Fields, name: string | undefined) {
  const all = listOf(targets).map(fieldsOf);
  const index = all.findIndex((one) => (name === undefined ? all.length === 1 : one.name === name));
  const target = all[index];
  if (target === undefined) {
    const names = all.map((one) => one.name).join(', ') || 'none';
    throw new SettingsError([`${file}: name a target with --target, of: ${names}`]);
  }
  const shared = fieldsOf(defaults);
  const isOwn = target.endpoints !== undefined || shared.endpoints === undefined;
  return {
    holder: isOwn ? ['targets', index] : ['defaults'],
    endpoints: listOf(isOwn ? target.endpoints : shared.endpoints),
    writes: (target.writes ?? shared.writes) === true,
  };
}

function nameOf(endpoint: unknown): string {
  const { method, path } = fieldsOf(endpoint);
  const text = typeof endpoint === 'string' ? endpoint : `${method} ${path}`;
  return text.trim().replaceAll(/\s+/g, ' ').replace(/\?.*/, '');
}

/** An endpoint in the short form if that is enough, or with a line for each field. */
function nodeOf({ method, path, fields, missing }: NewEndpoint, document: yaml.Document) {
  const entries = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    document.createNode(value, { flow: true }),
  ]);
  const isShort = entries.length === 0;
  const node = document.createNode(
    isShort ? `${method} ${path}` : { method, path, ...Object.fromEntries(entries) },
  );
  if (missing.length > 0) node.commentBefore = ` fill in: ${missing.join(', ')}`;
  return node;
}
