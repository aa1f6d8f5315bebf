import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { StatefulSet } from 'kubernetes-models/apps/v1';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import { ConfigMap, Service } from 'kubernetes-models/v1';
import { parse } from 'yaml';

const folder = new URL('../../ops/kubernetes/', import.meta.url);

export const textOf = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

/** The files of ops/kubernetes, each with one object. */
export const files = readdirSync(folder)
  .filter((name) => name !== 'kustomization.yaml')
  .sort();

/** Parses one object; the caller knows its kind. */
export const read = <Kind>(file: string): Kind => parse(textOf(file));

/** The kinds that are used, with their schemas. */
const kinds = {
  ConfigMap,
  NetworkPolicy,
  Service,
  StatefulSet,
};

/** The violations of the schema of the object's kind; undefined when there are none. */
export function invalidBySchema(text: string): string | undefined {
  const manifest = parse(text);
  const Kind = Object.entries(kinds).find(([name]) => name === manifest.kind)?.[1];
  if (Kind === undefined) return `${manifest.kind} is a kind without a schema`;
  try {
    new Kind(manifest).validate();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/**
 * The unknown fields of objects. The schemas allow them, as the API does. TypeScript reports them in a literal of
 * the kind's type.
 * @param texts by file @param scratch a folder of this repository, where packages are found
 * @returns the lines of the compiler
 */
export async function unknownFields(
  texts: ReadonlyMap<string, string>,
  scratch: string,
): Promise<string[]> {
  const source = path.join(scratch, 'manifests.ts');
  const literals = [...texts].map(([file, text], index) => {
    const manifest = parse(text);
    const type = `import('kubernetes-models/${manifest.apiVersion}').I${manifest.kind}`;
    return `// ${file}\nexport const _${index}: ${type} = ${JSON.stringify(manifest, null, 1)};\n`;
  });
  writeFileSync(source, literals.join('\n'));
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --module nodenext --target esnext --types'
      .split(' ')
      .concat('');
  const manifest = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = path.join(path.dirname(manifest), 'bin/tsc');
  return new Promise((resolve) => {
    execFile(process.execPath, [compiler, ...options, source], (error, stdout) =>
      resolve(error === null ? [] : stdout.trim().split('\n')),
    );
  });
}
