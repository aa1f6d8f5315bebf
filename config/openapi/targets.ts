import { existsSync } from 'node:fs';
import type { Document } from 'yaml';
import { SettingsError } from '../accepted.ts';
import { addEntries, marker, readYaml } from '../yaml-file.ts';
import { type Fields, fieldsOf, listOf, type OpenApiDocument } from './document.ts';
import type { NewEndpoint } from './endpoint.ts';

/**
 * Opens a targets file to add endpoints to one target, or to the defaults if the target has none of its own. Comments
 * and order stay. A file that does not exist begins with a target for the OpenAPI document.
 * @param name of the target, needed if the file has several
 * @throws SettingsError of one line
 */
export function editTargets(file: string, name: string | undefined, source: OpenApiDocument) {
  const { document, value } = readYaml(file, existsSync(file) ? undefined : newFile(name, source));
  const { holder, endpoints, writes } = placeIn(file, fieldsOf(value), name);
  const path = [...holder, 'endpoints'];
  // What an alias or a merge key adds is elsewhere in the file, and that of other targets too.
  if (!document.hasIn(endpoints.length > 0 ? [...path, 0] : [...holder, 'name']))
    throw new SettingsError(`${file}: ${path.join('.')} is no list of its own: write one there`);
  return {
    /** The endpoints that are there, without their queries: `GET /public-api/v1/widgets/42`. */
    existing: endpoints.map(nameOf),
    add(added: readonly NewEndpoint[]): void {
      if (!writes && added.some(({ method }) => !/^(GET|HEAD)$/.test(method)))
        document.setIn([...holder, 'writes'], true);
      const entries = added.map((endpoint) => entryOf(endpoint, document));
      addEntries(document, path, entries);
    },
    text: () => document.toString({ lineWidth: 0 }),
  };
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

/** Where the endpoints of a target are, and those that are there. */
function placeIn(file: string, { defaults, targets }: Fields, name: string | undefined) {
  const all = listOf(targets).map(fieldsOf);
  const index = all.findIndex((one) => (name === undefined ? all.length === 1 : one.name === name));
  const target = all[index];
  if (target === undefined) {
    const names = all.map((one) => one.name).join(', ') || 'none';
    throw new SettingsError(`${file}: name a target with --target, of: ${names}`);
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
function entryOf({ method, path, fields }: NewEndpoint, document: Document) {
  const lines = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    document.createNode(value, { flow: true }),
  ]);
  return lines.length === 0 ? `${method} ${path}` : { method, path, ...Object.fromEntries(lines) };
}
