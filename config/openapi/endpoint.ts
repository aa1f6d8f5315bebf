import { sample } from 'openapi-sampler';
import { isObject } from '../../contract/json-value.ts';
import { compileSchema } from '../../contract/schema.ts';
import { isSetByProbes } from '../endpoint-fields.ts';
import { marker } from '../yaml-file.ts';
import { asFields, type Fields, findJsonPart, type Operation } from './document.ts';

/** An endpoint for a targets file. */
export type NewEndpoint = ReturnType<typeof createEndpoint>;

/** What a document refers to, with names. */
type Names = ReadonlyMap<unknown, string>;

/** A parameter or a body without a value gets the marker. */
export function createEndpoint(
  { method, path, parameters, body, responses }: Operation,
  names: Names,
) {
  const required = (place: string): [name: string, value: unknown][] =>
    parameters
      .filter((entry) => entry.in === place && entry.required === true && !isIgnored(entry))
      .map((entry) => [String(entry.name), parameterValue(entry)]);
  const filledPath = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((entry) => entry.in === 'path' && entry.name === name);
    return encodeURIComponent(`${parameterValue(parameter ?? { in: 'path' })}`);
  });
  const media = /^P/.test(method) ? findJsonPart(body) : undefined;
  const fields = {
    query: Object.fromEntries(required('query')),
    headers: Object.fromEntries(required('header')),
    body: media && (bodyValue(asFields(media)) ?? marker),
    schema: method === 'HEAD' ? {} : answerSchema(responses, names),
  };
  const given = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !isEmpty(value),
  );
  return { method, path: filledPath, fields: Object.fromEntries(given) };
}

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** OpenAPI ignores some header parameters; the probes set others themselves. */
const isIgnored = ({ in: place, name }: Fields): boolean =>
  place === 'header' &&
  (/^(accept|content-type)$/i.test(String(name)) || isSetByProbes(String(name)));

/**
 * The value of a parameter, as a targets file has it: the document's own, or one from its schema. Only its team knows
 * that of an id in a path, or of a text without a form.
 */
function parameterValue(parameter: Fields): unknown {
  const { schema, in: place } = parameter;
  const stated = findExample(parameter) ?? sampleFrom(statedIn(schema));
  const value = stated ?? (place === 'path' ? undefined : sampleWithForm(schema));
  const isScalar = (item: unknown): boolean => /string|number|boolean/.test(typeof item);
  if (![value].flat().every(isScalar)) return marker;
  return place === 'query' ? value : String(value);
}

/** Without a form the sampler's own are 0, and the word string, cut or repeated to a length: they say nothing. */
function sampleWithForm(schema: unknown): unknown {
  const value = sampleFrom(schema);
  const saysNothing = (item: unknown): boolean => /^(0|(string)*s?t?r?i?n?)$/.test(String(item));
  return [value].flat().some(saysNothing) ? undefined : value;
}

/** What a schema states of its value, without a type, of which any value could be sampled. */
const statedIn = (schema: unknown): Fields => {
  const { example, examples, const: only, default: usual, enum: all } = asFields(schema);
  return { example, examples, const: only, default: usual, enum: all };
};

/** The value of a JSON body: the document's own, or one from its schema. @returns undefined if there is none */
function bodyValue(media: Fields): unknown {
  const example = findExample(media) ?? sampleFrom(media.schema);
  // Optional properties often refer to what does not exist. If all are optional, some are needed all the same.
  return isEmpty(example) ? sampleFrom(media.schema, false) : example;
}

/** The example of a parameter or of a body. */
const findExample = ({ example, examples }: Fields): unknown =>
  example ?? asFields(Object.values(asFields(examples))[0]).value;

/** @returns undefined if the sampler finds no value, or the schema is not one */
function sampleFrom(schema: unknown, skipNonRequired = true): unknown {
  const options = { skipReadOnly: true, skipNonRequired, quiet: true, enablePatterns: true };
  try {
    return sample(asFields(schema), options);
  } catch {
    return undefined;
  }
}

/** The schema of its first successful answer in JSON; empty if there is none, or it is not a schema. */
function answerSchema(responses: unknown, names: Names): Fields {
  const part = Object.entries(asFields(responses))
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .map(([, response]) => asFields(findJsonPart(response)).schema)
    .find((schema) => schema !== undefined);
  const schema = jsonSchema(part, names);
  try {
    compileSchema(schema);
    return schema;
  } catch {
    return {};
  }
}

/** What only describes. A property of such a name has a map instead. */
const describes = (key: string, value: unknown): boolean =>
  /^(title|description|examples?|default|format|x-.*)$/.test(key) && !isObject(value);

/** The schema of an answer as a JSON Schema that stands alone: what it refers to is in `$defs`. */
function jsonSchema(schema: unknown, names: Names): Fields {
  const $defs: Record<string, unknown> = {};
  const convert = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(define);
    if (!isObject(value)) return value;
    const entries = Object.entries(value)
      .filter(([key, inner]) => !describes(key, inner))
      .map(([key, inner]) => [key, define(inner)]);
    const { required, properties } = value;
    if (!Array.isArray(required)) return Object.fromEntries(entries);
    // An answer does not have what is write-only.
    const isThere = (name: string): boolean =>
      asFields(asFields(properties)[name]).writeOnly !== true;
    return { ...Object.fromEntries(entries), required: required.filter(isThere) };
  };
  const define = (value: unknown): unknown => {
    const name = names.get(value);
    if (name === undefined) return convert(value);
    if (!(name in $defs)) {
      // Before its conversion, because it may contain itself.
      $defs[name] = true;
      $defs[name] = convert(value);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const whole = asFields(convert(schema));
  return Object.keys($defs).length === 0 ? whole : { ...whole, $defs };
}
