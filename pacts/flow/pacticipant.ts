import { textIn } from '../../contract/json-value.ts';
import { nearest } from '../../settings/nearest.ts';
import { type Broker, pathOf } from './broker.ts';
import { listAt, oneLine } from './document.ts';
import { FlowError } from './flow-error.ts';

/** How many names an error message lists. */
const mostNames = 5;

/** @throws FlowError when the broker does not know the pacticipant, or this version of it */
export async function checkVersion(
  broker: Broker,
  pacticipant: string,
  version: string,
): Promise<void> {
  const own = pathOf`/pacticipants/${pacticipant}`;
  const { ok } = await broker.request('GET', own + pathOf`/versions/${version}`);
  if (ok) return;
  if ((await broker.request('GET', own)).ok)
    throw new FlowError(
      `the Pact Broker has no version ${version} of ${pacticipant}: publish its pacts or its results first`,
    );
  const known = listed(pacticipant, await pacticipantsOf(broker));
  throw new FlowError(
    `the Pact Broker has no pacticipant "${pacticipant}" (it has ${known}): correct --pacticipant, or publish its pacts or its results first`,
  );
}

async function pacticipantsOf(broker: Broker): Promise<readonly string[]> {
  const document = await broker.get('/pacticipants', 'pacticipants');
  return listAt(document, '_embedded', 'pacticipants').map((one) => textIn(one, 'name') ?? '');
}

/** The known names in one line: the most similar one first, which was probably meant. */
function listed(name: string, known: readonly string[]): string {
  const near = nearest(name, known)?.word;
  if (near === undefined) return 'none';
  const names = [near, ...known.filter((one) => one !== near)].map(oneLine);
  const rest = names.length - mostNames;
  return `${names.slice(0, mostNames).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
