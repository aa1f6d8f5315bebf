import { sample } from 'openapi-sampler';
import { isObject } from '../../contract/json-value.ts';
import { compileSchema } from '../../contract/schema.ts';
import { isSetByProbes } from '../endpoint-fields.ts';
import { marker } from '../yaml-file.ts';
import {
  type Fields,
  fieldsOf,
  jsonPartOf,
  listOf,
  type OpenApiDocument,
  type Operation,
} from './document.ts';
import { jsonSchema } from './json-schema.ts';

/** An endpoint for a targets file. */
export type NewEndpoint = ReturnType<typeof endpointOf>;

/** @param values of parameters by their names, in place of those in the document */
export function endpointOf(
  { method, path, parameters, body, responses }: Operation,
  document: OpenApiDocument,
  values: ReadonlyMap<string, string>,
) {
  /** The parameters without a value, and `body` if that has none: they hold the marker. */
  const missing: string[] = [];
  const filled = (name: string, value: unknown): unknown => {
    if (value === undefined) missing.push(name);
    return value ?? marker;
  };
  const valueFor = (name: string, parameter: Fields): unknown =>
    filled(name, values.get(name) ?? parameterValue(parameter, document));
  const required = (place: string): [name: string, value: unknown][] =>
    parameters
      .filter((one) => one.in === place && one.required === true && !isIgnored(one))
      .map((one) => [String(one.name), valueFor(String(one.name), one)]);
  const filledPath = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = parameters.find((one) => one.in === 'path' && one.name === name);
    return encodeURIComponent(String(valueFor(name, parameter ?? { in: 'path' })));
  });
  const headers = required('header').map(([name, value]) => [name, String(value)]);
  const media = /^P/.test(method) ? jsonPartOf(body) : undefined;
  const fields = {
    query: Object.fromEntries(required('query')),
    headers: Object.fromEntries(headers),
    body: media && filled('body', bodyValue(fieldsOf(media), document)),
    schema: method === 'HEAD' ? {} : answerSchema(responses, document),
  };
  const given = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !isEmpty(value),
  );
  return { method, path: filledPath, fields: Object.fromEntries(given), missing };
}

const isEmpty = (value: unknown): boolean => isObject(value) && Object.keys(value).length === 0;

/** OpenAPI ignores some header parameters; the probes set others themselves. */
const isIgnored = ({ in: place, name }: Fields): boolean =>
  place === 'header' &&
  (/^(accept|content-type)$/i.test(String(name)) || isSetByProbes(String(name)));

/** The schema of its first successful answer in JSON; empty if there is none, or it is not a schema. */
function answerSchema(responses: unknown, document: OpenApiDocument): Fields {
  const part = Object.entries(fieldsOf(responses))
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .map(([, response]) => fieldsOf(jsonPartOf(response)).schema)
    .find((schema) => schema !== undefined);
  const schema = jsonSchema(part, document, 'writeOnly');
  try {
    compileSchema(schema);
    return schema;
  } catch {
    return {};
  }
}

/**
 * The value of a parameter, as a targets file has it: the document's own, or one that its schema allows.
 * @returns undefined if only its team knows one: of an id in a path, or of a text without a form
 */
function parameterValue(parameter: Fields, document: OpenApiDocument): unknown {
  const { schema, in: place, explode = place === 'query' } = parameter;
  const own = exampleOf(parameter) ?? statedIn(schema);
  const value = own ?? (place === 'path' ? undefined : sampled(schema, document));
  const values = [value].flat();
  if (!values.every((one) => /string|number|boolean/.test(typeof one))) return undefined;
  return Array.isArray(value) && !(explode && place === 'query') ? value.join(',') : value;
}

/** The value of a JSON body: the document's own, or one that its schema allows. @returns undefined if there is none */
function bodyValue(media: Fields, document: OpenApiDocument): unknown {
  const least = exampleOf(media) ?? sampleOf(media.schema, document, true);
  // Optional properties often refer to what does not exist. If all are optional, some are needed all the same.
  return isEmpty(least) ? sampleOf(media.schema, document, false) : least;
}

/** The example of a parameter or of a body. */
const exampleOf = ({ example, examples }: Fields): unknown =>
  example ?? fieldsOf(Object.values(fieldsOf(examples))[0]).value;

/** The value that a schema, or the first part of it with one, states. `null` is what generators write for none. */
function statedIn(schema: unknown): unknown {
  const all = fieldsOf(schema);
  const lists = [all.examples, [all.const], [all.default], all.enum].flatMap(listOf);
  const parts = [all.allOf, all.anyOf, all.oneOf].flatMap(listOf).map(statedIn);
  return [all.example, ...lists, ...parts].find((value) => value !== undefined && value !== null);
}

/** The value of a parameter from its schema. */
function sampled(schema: unknown, document: OpenApiDocument): unknown {
  const value = sampleOf(schema, document, true);
  // Pages and sizes begin with 1, even if the schema does not say so.
  if (value === 0 && fits(1, schema, document)) return 1;
  // The sampler's own word says nothing about a text without a form.
  const hasWord = [value].flat().some((one) => /^(string)*s?t?r?i?n?$/.test(String(one)));
  return hasWord ? undefined : value;
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
