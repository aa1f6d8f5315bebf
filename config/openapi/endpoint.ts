import { compileSchema } from '../../contract/schema.ts';
import { marker } from '../contradictions.ts';
import { isSetByProbes } from '../endpoint-fields.ts';
import {
  type Fields,
  fieldsOf,
  jsonPartOf,
  type OpenApiDocument,
  type Operation,
} from './document.ts';
import { jsonSchema } from './json-schema.ts';
import { bodyValue, parameterValue } from './values.ts';

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
  const query = required('query');
  const headers = required('header').map(([name, value]) => [name, String(value)]);
  const media = /^P/.test(method) ? jsonPartOf(body) : undefined;
  const schema = method === 'HEAD' ? {} : answerSchema(responses, document);
  const fields = {
    ...(query.length > 0 && { query: Object.fromEntries(query) }),
    ...(headers.length > 0 && { headers: Object.fromEntries(headers) }),
    ...(media !== undefined && { body: filled('body', bodyValue(fieldsOf(media), document)) }),
    ...(Object.keys(schema).length > 0 && { schema }),
  };
  return { method, path: filledPath, fields, missing };
}

/** OpenAPI ignores some header parameters; the probes set others themselves. */
const isIgnored = ({ in: place, name }: Fields): boolean =>
  place === 'header' &&
  (/^(accept|content-type)$/i.test(String(name)) || isSetByProbes(String(name)));

/** The schema of its first successful answer in JSON; empty if there is none, or it is not a schema. */
function answerSchema(responses: unknown, document: OpenApiDocument): Fields {
  const parts = Object.entries(fieldsOf(responses))
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([, response]) => fieldsOf(jsonPartOf(response)).schema);
  const schema = jsonSchema(
    parts.find((part) => part !== undefined),
    document,
    'writeOnly',
  );
  try {
    compileSchema(schema);
    return schema;
  } catch {
    return {};
  }
}
