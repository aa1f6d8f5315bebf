import type { Interaction } from '../pact.ts';
import type { GivenState } from '../states.ts';
import { methods, stateOf, unknownState } from '../states.ts';
import type { Provider } from './provider.ts';

/** Why an interaction cannot be verified against any provider; undefined when it can. */
export function obstacleTo(interaction: Interaction, provider: Provider): string | undefined {
  const { states, method } = interaction;
  if (!methods.includes(method))
    return `Pact cannot send the method ${method}: ${methods.join(', ')}`;
  return states
    .map((state) => obstacleToState(state, provider, method))
    .find((reason) => reason !== undefined);
}

/** Why a state cannot be set up at the provider. @param method of the request in that state */
export function obstacleToState(
  { name, parameters }: GivenState,
  { time, endpoints, stateHandler }: Provider,
  method: string,
): string | undefined {
  const state = stateOf(name);
  if (state === undefined) return stateHandler === undefined ? unknownState(name) : undefined;
  if (state.needs === 'clock' && time === undefined)
    return 'no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE';
  if (name !== 'a protected endpoint') return undefined;
  const wanted = String(parameters.method ?? method).toUpperCase();
  return endpoints.some((one) => one.method === wanted)
    ? undefined
    : `no protected endpoint of the method ${wanted} is known: name one in PUBLIC_API_ENDPOINTS`;
}
