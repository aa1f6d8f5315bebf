import { toJsonSchema } from '@valibot/to-json-schema';
import { targetsFileSchema } from '../../config/targets-file.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';

/** `schemas/targets.json`, for editors: what JSON Schema cannot say is checked by the monitor alone. */
export function targetsSchemaText(): string {
  const nothing = { folder: '', env: {}, scrubber: new Scrubber() };
  const schema = toJsonSchema(targetsFileSchema(nothing), {
    target: 'draft-2020-12',
    typeMode: 'output',
    errorMode: 'ignore',
  });
  const head = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: 'urn:public-api:targets',
    description:
      'The targets file that PUBLIC_API_TARGETS names. targets.example.yaml documents it.',
  };
  return `${JSON.stringify({ ...head, ...schema, ...head }, undefined, 2)}\n`;
}
