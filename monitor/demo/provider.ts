import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';

/** A sandbox whose behaviour can change while it runs. */
export interface DemoProvider {
  readonly sandbox: Sandbox;
  /** From now on it behaves like this. */
  become(behaviour: Behaviour): void;
}

/** @param now the provider's time, milliseconds since 1970 */
export async function startDemoProvider(now: () => number): Promise<DemoProvider> {
  const behaviour = { ...dated(right) };
  const sandbox = await startSandbox({ behaviour, time: now });
  return { sandbox, become: (other) => void Object.assign(behaviour, dated(other)) };
}

/** Answers carry simulated time in `Date`: by real time the provider would seem to be days behind. */
const dated = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  finish(reply, call, state) {
    const { headers, ...finished } = behaviour.finish(reply, call, state);
    return { ...finished, headers: { Date: new Date(call.now).toUTCString(), ...headers } };
  },
});
