import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { type Sandbox, startSandbox } from '../../sandbox/provider.ts';

/** A sandbox that becomes another while it runs. */
export interface DemoProvider {
  readonly sandbox: Sandbox;
  /** From now on it behaves like this. */
  become(behaviour: Behaviour): void;
}

/** @param now its time, milliseconds since 1970 */
export async function startDemoProvider(now: () => number): Promise<DemoProvider> {
  const behaviour = { ...dated(right) };
  const sandbox = await startSandbox({ behaviour, time: now });
  return { sandbox, become: (other) => void Object.assign(behaviour, dated(other)) };
}

/** Answers bear the provider's own time: by the machine's a monitor would find its clock days behind. */
const dated = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  finish(reply, call, state) {
    const { headers, ...finished } = behaviour.finish(reply, call, state);
    return { ...finished, headers: { Date: new Date(call.now).toUTCString(), ...headers } };
  },
});
