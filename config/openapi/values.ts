import { sample } from 'openapi-sampler';
import { isObject } from '../../contract/json-value.ts';
import { compileSchema } from '../../contract/schema.ts';
import { type Fields, fieldsOf, listOf, type OpenApiDocument } from './document.ts';
import { jsonSchema } from './json-schema.ts';

/**
 * The value of a parameter, as a targets file has it: the document's own, or one that its schema allows.
 * @returns undefined if only its team knows one: of an id in a path, or of a text without a form
 */
export function parameterValue(parameter: Fields, document: OpenApiDocument): unknown {
  const { schema, in: place, explode = place === 'query' } = parameter;
  const own = exampleOf(parameter) ?? statedIn(schema);
  const value = own ?? (place === 'path' ? undefined : sampled(schema, document));
  const values = [value].flat();
  if (!values.every((one) => /string|number|boolean/.test(typeof one))) return undefined;
  return Array.isArray(value) && !(explode && place === 'query') ? value.join(',') : value;
}

/** The value of a JSON body: the document's own, or one that its schema allows. @returns undefined if there is none */
export function bodyValue(media: Fields, document: OpenApiDocument): unknown {
  const least = exampleOf(media) ?? sampleOf(media.schema, document, true);
  // Optional properties often refer to what does not exist. If all are optional, some are needed all the same.
  const isEmpty = isObject(least) && Object.keys(least).length === 0;
  return isEmpty ? sampleOf(media.schema, document, false) : least;
}

/** The example of a parameter or of a body. */
const exampleOf = ({ example, examples }: Fields): unknown =>
  example ?? fieldsOf(Object.values(fieldsOf(examples))[0]).value;

/** The value that a schema, or the first part of it with one, states. `null` is what generators write for none. */
function statedIn(schema: unknown): unknown {
  const {
    example,
    examples,
    const: only,
    default: usual,
    enum: list,
    ...others
  } = fieldsOf(schema);
  const own = example ?? listOf(examples)[0] ?? only ?? usual ?? listOf(list)[0] ?? undefined;
  const parts = [others.allOf, others.anyOf, others.oneOf].flatMap(listOf);
  return own ?? parts.map(statedIn).find((value) => value !== undefined);
}

/** The value of a parameter from its schema. */
function sampled(schema: unknown, document: OpenApiDocument): unknown {
  const value = sampleOf(schema, document, true);
  // Pages and sizes begin with 1, even if the schema does not say so.
  if (value === 0 && fits(1, schema, document)) return 1;
  // The sampler's own word says nothing about a text without a form.
  const isWord = (one: unknown): boolean =>
    typeof one === 'string' && /^(string)*s?t?r?i?n?$/.test(one);
  return [value].flat().some(isWord) ? undefined : value;
}

/** @returns undefined if the sampler finds no value that the schema allows, or the schema is not one */
function sampleOf(schema: unknown, document: OpenApiDocument, skipNonRequired: boolean): unknown {
  const options = { skipReadOnly: true, skipNonRequired, quiet: true, enablePatterns: true };
  try {
    const value = sample(fieldsOf(schema), options);
    return fits(value, schema, document) ? value : undefined;
  } catch {
    return undefined;
  }
}

const fits = (value: unknown, schema: unknown, document: OpenApiDocument): boolean =>
  compileSchema(jsonSchema(schema, document, 'readOnly'))(value) === undefined;
