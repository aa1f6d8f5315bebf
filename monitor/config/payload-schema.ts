import { isObject } from '../../contract/http/answer.ts';
import { largest } from '../../settings/regular-file.ts';
import { type PayloadCheck, payloadCheck } from '../target/payload.ts';
import type { Path } from './complaints.ts';
import { type ConfigContext, placeOf } from './config-context.ts';
import { fileText } from './file-text.ts';

/** The schema of an endpoint's payload, written inline or as the name of a JSON file. */
export function payloadSchema(
  value: unknown,
  at: Path,
  around: ConfigContext,
): PayloadCheck | undefined {
  const { complaints } = around;
  if (value === undefined) return undefined;
  try {
    const schema = typeof value === 'string' ? inFile(placeOf(value, around)) : value;
    if (isObject(schema) || typeof schema === 'boolean') return payloadCheck(schema);
    complaints.about(at, 'names a file whose JSON is neither an object nor true or false');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    complaints.about(at, `gives no JSON Schema: ${why.replaceAll(/\s+/g, ' ').slice(0, 200)}`);
  }
  return undefined;
}

/** @throws Error with a message of one line */
function inFile(file: string): unknown {
  const text = textOf(file);
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the file does not contain JSON');
  }
}

function textOf(file: string): string {
  try {
    return fileText(file, largest.payloadSchema);
  } catch (error) {
    throw new Error(`the file ${error instanceof Error ? error.message : error}`);
  }
}
