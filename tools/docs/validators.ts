import { readFileSync } from 'node:fs';
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js';
import standalone from 'ajv/dist/standalone/index.js';

/** The schemas that every command needs, by the names of their validators. */
const shapes = {
  tokenRequest: 'token-request',
  successEnvelope: 'success-envelope',
  errorEnvelope: 'error-envelope',
};

const head = `// Written by npm run docs, from the schemas of this folder: loading ajv and compiling them would take each start 50 ms.
`;

/** `schemas/validators.js`: the validators of the contract's bodies, as ajv compiles them. */
export function validatorsText(): string {
  const ajv = new Ajv2020({
    strict: true,
    allErrors: true,
    verbose: true,
    validateSchema: false,
    code: { source: true, esm: true, lines: true },
  });
  for (const [name, file] of Object.entries(shapes)) {
    const url = new URL(`../../schemas/${file}.json`, import.meta.url);
    ajv.addSchema(JSON.parse(readFileSync(url, 'utf8'), withoutNotes) as AnySchema, name);
  }
  const names = Object.fromEntries(Object.keys(shapes).map((name) => [name, name]));
  return head + withImports(standalone.default(ajv, names));
}

/** Leaves out parts of the schema that errors do not quote. */
const withoutNotes = (key: string, value: unknown): unknown =>
  ['description', 'examples'].includes(key) ? undefined : value;

/** Replaces `require` by `import`: ajv uses `require` even in a module that it writes (ajv-validator/ajv#2209). */
const withImports = (code: string): string =>
  code.replaceAll(
    /const (\w+) = require\("([^"]+)"\)\.default;/g,
    (_, name, file) => `import ${name}_ from '${file}.js';\nconst ${name} = ${name}_.default;`,
  );
