import { at, field } from '../contract/json-value.ts';
import { type Interaction, list } from './pact.ts';

/** The matching rules about the status of the answer. */
function statusRules({ document }: Interaction): readonly unknown[] {
  const rules = at(document, 'response', 'matchingRules', 'status');
  return list(field(field(rules, '$') ?? rules, 'matchers'));
}

/** Other rules, such as `type`, match every status. */
export const acceptsAnyStatus = (interaction: Interaction): boolean =>
  statusRules(interaction).some(
    (rule) => !/^(equality|status-?code)$/i.test(String(field(rule, 'match'))),
  );

/** Whether a status is that of the example, or one of a rule for statuses. */
export const acceptsStatus = (interaction: Interaction, wanted: number): boolean =>
  interaction.status === wanted ||
  statusRules(interaction).some((rule) => {
    if (field(rule, 'match') === 'equality') return false;
    const status = field(rule, 'status');
    if (Array.isArray(status)) return status.includes(wanted);
    const [from, to] = classes[String(status)] ?? [100, 599];
    return from <= wanted && wanted <= to;
  });

const classes: Readonly<Record<string, readonly [from: number, to: number]>> = {
  info: [100, 199],
  success: [200, 299],
  redirect: [300, 399],
  clientError: [400, 499],
  serverError: [500, 599],
  nonError: [100, 399],
  error: [400, 599],
};

/** The names of the state values that the generators of a request use. */
export function valuesUsed({ document }: Interaction): string[] {
  const names: string[] = [];
  JSON.stringify(at(document, 'request', 'generators') ?? null, (_, inner: unknown) => {
    if (field(inner, 'type') !== 'ProviderState') return inner;
    const expression = String(field(inner, 'expression') ?? '');
    const found = Array.from(expression.matchAll(/\$\{([^}]*)\}/g), ([, name = '']) => name);
    // An expression may be a bare name, without `${}`.
    names.push(...(found.length === 0 ? [expression] : found));
    return inner;
  });
  return names;
}
