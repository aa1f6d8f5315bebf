import { at, textIn } from '../../contract/json-value.ts';
import type { Broker } from './broker.ts';
import { linkOf, listAt, oneLine } from './document.ts';
import type { Environment } from './environment.ts';
import { FlowError } from './flow-error.ts';
import { checkVersion } from './pacticipant.ts';

/** A consumer's pact together with a version of its provider in an environment. */
export interface Row {
  readonly consumer: string;
  readonly consumerVersion: string;
  readonly provider: string;
  /** Absent if no version in the environment has verified the pact. */
  readonly providerVersion?: string;
  /** Absent if there is no result. */
  readonly success?: boolean;
  readonly result?: string;
}

/** The broker's knowledge of a version that is to be deployed. */
export interface Matrix {
  readonly rows: readonly Row[];
  /** The broker's own verdict; undefined if the broker does not know. */
  readonly deployable: boolean | undefined;
  /** The broker's error notices, one sentence each. */
  readonly wrong: readonly string[];
}

/** A version that is to be deployed to an environment. */
export interface Move {
  readonly pacticipant: string;
  readonly version: string;
  readonly environment: Environment;
}

/** The most rows to request: more than any real case has. */
const mostRows = 1000;

/**
 * Requests every pair of versions in that environment, each with its latest result.
 * @throws FlowError when the broker does not know the pacticipant or its version
 */
export async function matrixOf(broker: Broker, move: Move): Promise<Matrix> {
  const { pacticipant, version, environment } = move;
  await checkVersion(broker, pacticipant, version);
  const query = new URLSearchParams([
    ['q[][pacticipant]', pacticipant],
    ['q[][version]', version],
    ['latestby', 'cvpv'],
    ['environment', environment.name],
    ['limit', String(mostRows)],
  ]);
  const reply = await broker.request('GET', `/matrix?${query}`);
  if (!reply.ok) throw new FlowError(`the Pact Broker does not answer that: ${reply.why}`);
  const rows = listAt(reply.document, 'matrix').map(rowOf);
  if (rows.length >= mostRows)
    throw new FlowError(`the Pact Broker's matrix is cut off after ${mostRows} rows`);
  const deployable = at(reply.document, 'summary', 'deployable');
  return {
    rows,
    deployable: typeof deployable === 'boolean' ? deployable : undefined,
    wrong: listAt(reply.document, 'notices')
      .filter((notice) => textIn(notice, 'type') === 'error')
      .map((notice) => oneLine(textIn(notice, 'text') ?? '')),
  };
}

function rowOf(row: unknown): Row {
  const providerVersion = textIn(row, 'provider', 'version', 'number');
  const success = at(row, 'verificationResult', 'success');
  const result = linkOf(at(row, 'verificationResult'), 'self');
  return {
    consumer: textIn(row, 'consumer', 'name') ?? '',
    consumerVersion: textIn(row, 'consumer', 'version', 'number') ?? '',
    provider: textIn(row, 'provider', 'name') ?? '',
    providerVersion,
    success: typeof success === 'boolean' ? success : undefined,
    result,
  };
}
