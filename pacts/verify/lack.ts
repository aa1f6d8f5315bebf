import type { Interaction } from '../pact.ts';
import { methods, stateOf } from '../states.ts';
import { type Provider, protectedMethod } from './provider.ts';

/** Why an interaction cannot be verified against a provider, whatever that does; undefined when it can. */
export function lackOf(
  interaction: Interaction,
  { time, endpoints }: Provider,
): string | undefined {
  if (time === undefined && interaction.states.some(({ name }) => stateOf(name)?.needs === 'clock'))
    return 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';
  if (!methods.includes(interaction.method))
    return `Pact cannot ask by the method ${interaction.method}: ${methods.join(', ')}`;
  const method = protectedMethod(interaction);
  if (method !== undefined && !endpoints.some((one) => one.method === method))
    return `no protected endpoint of the method ${method} is known: name one in PUBLIC_API_ENDPOINTS`;
  return undefined;
}
