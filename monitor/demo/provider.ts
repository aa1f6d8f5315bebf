import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';

/**
 * Starts a sandbox whose behaviour can change while it runs.
 * @param now the provider's time, milliseconds since 1970
 */
export async function startDemoProvider(now: () => number) {
  const behaviour = { ...dated(right) };
  const sandbox = await startSandbox({ behaviour, time: now });
  return { sandbox, become: (other: Behaviour) => void Object.assign(behaviour, dated(other)) };
}

/** Answers carry simulated time in `Date`: by real time the provider would seem to be days behind. */
const dated = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  finish(reply, call, state) {
    const { headers, ...finished } = behaviour.finish(reply, call, state);
    return { ...finished, headers: { Date: new Date(call.now).toUTCString(), ...headers } };
  },
});
