import { textIn } from '../../contract/json-value.ts';
import type { Interaction } from '../pact.ts';
import { generatorsOf } from './place.ts';
import type { Values } from './state-setup.ts';
import { InteractionEnd } from './visit.ts';

/**
 * A generator may convert a value of a state to a data type. If Pact's core cannot convert it, it sends the example in
 * a body, and ends without a result anywhere else.
 * @throws InteractionEnd when a value cannot be converted
 */
export function checkDataTypes(interaction: Interaction, values: Values): void {
  for (const { category, document } of generatorsOf(interaction, 'request')) {
    const fits = convertible[textIn(document, 'dataType')?.toUpperCase() ?? ''];
    const expression = textIn(document, 'expression');
    if (fits === undefined || expression === undefined) continue;
    const value = evaluated(expression, values);
    // The core converts an integer in a body to one without a sign.
    const isUnsigned = category === 'body' && fits === convertible.INTEGER;
    const isText = typeof value === 'string';
    if (isText ? !fits.test(value) || (isUnsigned && value.startsWith('-')) : isStructured(value))
      throw InteractionEnd.unverified(
        `the value of "${expression}" is not of the type ${textIn(document, 'dataType')}`,
      );
  }
}

/** The texts that the core converts to each type. It converts every number, every boolean and null. */
const convertible: Readonly<Record<string, RegExp>> = {
  INTEGER: /^[+-]?0*\d{1,18}$/,
  DECIMAL: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
  FLOAT: /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i,
  BOOLEAN: /^(true|false)$/,
};

/** A single value keeps its own type. */
function evaluated(expression: string, values: Values): unknown {
  const name = /^\$\{([^}]*)\}$/.exec(expression)?.[1];
  if (name !== undefined) return values[name];
  if (!expression.includes('${')) return values[expression];
  return expression.replace(/\$\{([^}]*)\}/g, (_, one) => String(values[one]));
}

const isStructured = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !JSON.isRawJSON(value);
