import { sample } from 'openapi-sampler';
import { at, isObject } from '../../contract/json-value.ts';
import { isSetByProbes } from '../endpoints.ts';
import { marker } from '../yaml-file.ts';
import { asFields, type Fields, findJsonPart, type Operation } from './document.ts';

type Names = ReadonlyMap<unknown, string>;

/** An endpoint for a targets file. A parameter or a body without a value gets the marker. */
export function createEndpoint(
  { method, path, parameters, body, responses }: Operation,
  names: Names,
) {
  const required = (place: string): [name: string, value: unknown][] =>
    parameters
      .filter((entry) => entry.in === place && entry.required === true && !isIgnored(entry))
      .map((entry) => [String(entry.name), parameterValue(entry)]);
  const filledPath = path.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const parameter = parameters.findLast((entry) => entry.in === 'path' && entry.name === name);
    return encodeURIComponent(`${parameterValue(parameter ?? { in: 'path' })}`);
  });
  const media = /^P/.test(method) ? findJsonPart(body) : undefined;
  const fields = {
    query: Object.fromEntries(required('query')),
    headers: Object.fromEntries(required('header')),
    body: media && (bodyValue(asFields(media)) ?? marker),
    schema: method === 'HEAD' ? {} : answerSchema(responses, names),
  };
  const given = Object.entries(fields).filter(([, value]) => !isEmpty(value));
  return { method, path: filledPath, fields: Object.fromEntries(given) };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || (isObject(value) && Object.keys(value).length === 0);

/** OpenAPI ignores some header parameters; the probes set others themselves. */
const isIgnored = ({ in: place, name }: Fields): boolean =>
  place === 'header' &&
  (/^(accept|content-type)$/i.test(String(name)) || isSetByProbes(String(name)));

/** The value of a parameter, as a targets file has it. */
function parameterValue({ in: place, schema, ...stated }: Fields): unknown {
  // Only its team knows an id in a path: the sampler has no value of this type, but takes what the schema states.
  const type = place === 'path' ? { type: 'id' } : {};
  const value = findValue({ ...stated, schema: { ...asFields(schema), ...type } });
  const isScalar = (item: unknown): boolean => /string|number|boolean/.test(typeof item);
  if (![value].flat().every(isScalar)) return marker;
  return place === 'query' ? value : String(value);
}

/** The value of a JSON body, if there is one. */
function bodyValue(media: Fields): unknown {
  const value = findValue(media);
  // Optional properties often refer to what does not exist. If all are optional, some are needed all the same.
  return isEmpty(value) ? findValue(media, false) : value;
}

/** The document's own example, or a value from the schema; undefined if the sampler finds none. */
function findValue({ example, examples, schema }: Fields, skipNonRequired = true): unknown {
  const stated = example ?? at(Object.values(asFields(examples))[0], 'value');
  if (stated !== undefined) return stated;
  const options = { skipReadOnly: true, skipNonRequired, quiet: true, enablePatterns: true };
  try {
    return sample(asFields(schema), options);
  } catch {
    return undefined;
  }
}

/** The schema of its first successful answer in JSON; empty if there is none. */
function answerSchema(responses: unknown, names: Names): Fields {
  const [first = {}] = Object.entries(asFields(responses))
    .filter(([status]) => /^2(\d\d|XX)$/i.test(status))
    .flatMap(([, response]) => at(findJsonPart(response), 'schema') ?? []);
  return standAlone(first, names);
}

/** What only describes. A property of such a name has a map instead. */
const describes = (key: string, value: unknown): boolean =>
  /^(title|description|examples?|default|format|x-.*)$/.test(key) && !isObject(value);

/** The schema of an answer as a JSON Schema that stands alone: what it refers to is in `$defs`. */
function standAlone(schema: unknown, names: Names): Fields {
  const $defs: Record<string, unknown> = {};
  function convert(this: Fields, key: string, value: unknown): unknown {
    if (describes(key, value)) return undefined;
    // An answer does not have what is write-only.
    if (key === 'required' && Array.isArray(value))
      return value.filter((name) => at(this.properties, String(name), 'writeOnly') !== true);
    const name = key === '' ? undefined : names.get(value);
    if (name === undefined) return value;
    if (!(name in $defs)) {
      // Before its conversion, because it may contain itself.
      $defs[name] = true;
      $defs[name] = JSON.parse(JSON.stringify(value, convert));
    }
    return { $ref: `#/$defs/${name}` };
  }
  const whole = JSON.parse(JSON.stringify(schema, convert));
  return Object.keys($defs).length === 0 ? whole : { ...whole, $defs };
}
