import { existsSync } from 'node:fs';
import type { Document } from 'yaml';
import { mayChange } from '../endpoints.ts';
import { SettingsError } from '../fields.ts';
import { addEntries, marker, readYaml, writeYaml } from '../yaml-file.ts';
import { asFields, asList, type OpenApiDocument } from './document.ts';
import type { NewEndpoint } from './endpoint.ts';

/**
 * Opens a targets file to add endpoints to one of its targets. Comments and order stay. A file that does not exist
 * begins with a target for the OpenAPI document.
 * @param name of the target, needed if the file has several
 * @throws SettingsError of one line
 */
export function editTargets(file: string, name: string | undefined, source: OpenApiDocument) {
  const { document, value } = readYaml(file, existsSync(file) ? undefined : newFile(name, source));
  const { defaults, targets } = asFields(value);
  const all = asList(targets).map(asFields);
  const index = all.findIndex(
    (target, at) =>
      (name === undefined ? all.length === 1 : target.name === name) &&
      document.hasIn(['targets', at, 'name']),
  );
  const names = all.map((target) => target.name).join(', ') || 'none';
  if (index < 0) throw new SettingsError(`${file}: name a target with --target, of: ${names}`);
  const { endpoints, writes } = { ...asFields(defaults), ...all[index] };
  const existing = asList(endpoints);
  return {
    /** The endpoints that are there, without their queries: `GET /public-api/v1/widgets/42`. */
    existing: existing.map(readName),
    async add(added: readonly NewEndpoint[]): Promise<void> {
      if (writes !== true && added.some(mayChange))
        document.setIn(['targets', index, 'writes'], true);
      const entries = added.map((endpoint) => createEntry(endpoint, document));
      addEntries(document, ['targets', index, 'endpoints'], entries, existing);
      // A file to which nothing is added stays as it is formatted.
      if (added.length > 0) await writeYaml(file, document);
    },
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

function readName(endpoint: unknown): string {
  const { method, path } = asFields(endpoint);
  const text = typeof endpoint === 'string' ? endpoint : `${method} ${path}`;
  return text.trim().replaceAll(/\s+/g, ' ').replace(/\?.*/, '');
}

/** An endpoint in the short form if that is enough, or with a line for each field. */
function createEntry({ method, path, fields }: NewEndpoint, document: Document) {
  const lines = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    document.createNode(value, { flow: true }),
  ]);
  return lines.length === 0 ? `${method} ${path}` : { method, path, ...Object.fromEntries(lines) };
}
