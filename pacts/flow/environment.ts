import { textIn } from '../../contract/json-value.ts';
import { type Broker, pathOf } from './broker.ts';
import { listAt } from './document.ts';
import { FlowError } from './flow-error.ts';

/** An environment of the broker, to which versions are deployed. */
export interface Environment {
  readonly name: string;
  readonly uuid: string;
}

/** All environments, in the broker's order. @throws FlowError */
export async function environmentsOf(broker: Broker): Promise<readonly Environment[]> {
  const document = await broker.get('/environments', 'environments');
  return listAt(document, '_embedded', 'environments').map((one) => ({
    name: textIn(one, 'name') ?? '',
    uuid: textIn(one, 'uuid') ?? '',
  }));
}

/** @throws FlowError when no environment has that name */
export async function environmentOf(broker: Broker, name: string): Promise<Environment> {
  const all = await environmentsOf(broker);
  const found = all.find((one) => one.name === name);
  if (found !== undefined) return found;
  const known = all.length === 0 ? 'none' : all.map((one) => one.name).join(', ');
  throw new FlowError(
    `the Pact Broker has no environment "${name}" (it has ${known}): npm run pact:setup -- --environments ${name} makes it`,
  );
}

/** A version that is recorded as deployed or released in an environment. */
export interface Recorded {
  readonly as: 'deployed' | 'released';
  readonly pacticipant: string;
  readonly version: string;
  /** Identifies one of several application instances in the same environment. */
  readonly instance?: string;
}

/** All versions that are in an environment now. @throws FlowError */
export async function recordedIn(
  broker: Broker,
  { uuid, name }: Environment,
): Promise<readonly Recorded[]> {
  const lists = [
    ['deployed', 'deployed-versions/currently-deployed', 'deployedVersions'],
    ['released', 'released-versions/currently-supported', 'releasedVersions'],
  ] as const;
  const recorded: Recorded[] = [];
  for (const [as, place, key] of lists) {
    const path = `${pathOf`/environments/${uuid}`}/${place}`;
    const document = await broker.get(path, `environment "${name}" any more`);
    for (const one of listAt(document, '_embedded', key))
      recorded.push({
        as,
        pacticipant: textIn(one, '_embedded', 'pacticipant', 'name') ?? '',
        version: textIn(one, '_embedded', 'version', 'number') ?? '',
        instance: textIn(one, 'applicationInstance'),
      });
  }
  return recorded;
}
