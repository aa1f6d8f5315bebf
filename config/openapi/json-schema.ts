import { isObject } from '../../contract/json-value.ts';
import { type Fields, fieldsOf, type OpenApiDocument } from './document.ts';

/** Keywords of OpenAPI 3.1 that describe, are not checked, or would change the meaning of `#/$defs`. */
const unchecked =
  /^(title|description|examples?|default|format|deprecated|readOnly|writeOnly|externalDocs|xml|discriminator|content\w+|\$(id|schema|anchor|comment|dynamic\w+)|x-.*)$/;

/** Keywords that hold schemas by names, which may be those of keywords. */
const withNames = /^(properties|patternProperties|dependentSchemas|\$defs)$/;

/**
 * A schema of an OpenAPI document as a JSON Schema that stands alone: what it refers to is in `$defs`.
 * @param absent properties that the message does not have, even if they are required
 */
export function jsonSchema(
  schema: unknown,
  { names }: Pick<OpenApiDocument, 'names'>,
  absent: 'readOnly' | 'writeOnly',
): Fields {
  const $defs: Record<string, unknown> = {};
  const convert = (value: unknown, isByName = false): unknown => {
    if (Array.isArray(value)) return value.map((item) => define(item));
    if (!isObject(value)) return value;
    const entries = Object.entries(value)
      .filter(([key]) => isByName || !unchecked.test(key))
      .map(([key, inner]) => [key, define(inner, !isByName && withNames.test(key))]);
    const { required } = value;
    if (isByName || !Array.isArray(required)) return Object.fromEntries(entries);
    const isPresent = (name: unknown): boolean =>
      fieldsOf(fieldsOf(value.properties)[String(name)])[absent] !== true;
    return { ...Object.fromEntries(entries), required: required.filter(isPresent) };
  };
  const define = (value: unknown, isByName = false): unknown => {
    const name = names.get(value);
    if (name === undefined) return convert(value, isByName);
    if (!(name in $defs)) {
      // Before its conversion, because it may contain itself.
      $defs[name] = true;
      $defs[name] = convert(value);
    }
    return { $ref: `#/$defs/${name}` };
  };
  const whole = fieldsOf(convert(schema));
  return Object.keys($defs).length === 0 ? whole : { ...whole, $defs };
}
