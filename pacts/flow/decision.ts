import type { Broker } from './broker.ts';
import { type Recorded, recordedIn } from './environment.ts';
import { type Matrix, type Move, matrixOf, type Row } from './matrix.ts';
import { leftOutOf, unmetIn } from './unmet.ts';

/**
 * Whether the version may be deployed to an environment:
 * `yes`: all pacts with the versions there are verified. `no`: one verification failed.
 * `unknown`: a verification is missing or incomplete. `first`: no version of the other side is recorded there, so
 * there was nothing to compare. A wrong question is a FlowError.
 */
export type Outcome = 'yes' | 'no' | 'unknown' | 'first';

export interface Decision {
  readonly outcome: Outcome;
  /** The reasons, a line each; details are indented. */
  readonly lines: readonly string[];
  /** Nothing is recorded in the environment: this is its first deployment. */
  readonly ever?: boolean;
}

/** Decides from the broker's matrix. @throws FlowError */
export async function decide(broker: Broker, move: Move): Promise<Decision> {
  const matrix = await matrixOf(broker, move);
  const recorded = await recordedIn(broker, move.environment);
  const decision = await compared(broker, matrix, move, recorded);
  return recorded.length === 0 ? { ...decision, ever: true } : decision;
}

async function compared(
  broker: Broker,
  matrix: Matrix,
  move: Move,
  recorded: readonly Recorded[],
): Promise<Decision> {
  const failed = matrix.rows.filter(({ success }) => success === false);
  if (failed.length > 0) return { outcome: 'no', lines: await whyNot(broker, failed) };
  const unverified = gaps(matrix.rows, move, recorded);
  if (unverified.length > 0) return { outcome: 'unknown', lines: unverified };
  const missing = missingProviders(matrix.rows, move, recorded);
  if (missing.length > 0) return { outcome: 'first', lines: missing };
  return settled(broker, matrix, move);
}

async function whyNot(broker: Broker, failed: readonly Row[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { result, ...row } of failed) {
    lines.push(
      `${row.provider} ${row.providerVersion} fails the pact of ${row.consumer} ${row.consumerVersion}:`,
    );
    const unmet = result === undefined ? [] : await unmetIn(broker, result);
    lines.push(...unmet.map((line) => `  ${line}`));
  }
  return lines;
}

/**
 * Missing verifications. If an environment has several versions of a provider, each must have verified the pact.
 * The broker's own verdict requires only one of them.
 */
function gaps(rows: readonly Row[], move: Move, recorded: readonly Recorded[]): string[] {
  const { pacticipant, version, environment } = move;
  const own = rows
    .filter(({ provider, success }) => provider === pacticipant && success === undefined)
    .map((row) => `${pacticipant} ${version} has not verified the pact of ${consumerOf(row)}`);
  const others = needed(rows, move).flatMap((provider) =>
    recorded
      .filter((one) => one.pacticipant === provider)
      .filter((one) => !rows.some((row) => isVerifiedBy(row, one)))
      .map(
        (one) =>
          `${provider} ${one.version}, which is in ${environment.name}, has not verified the pact of ${pacticipant} ${version}`,
      ),
  );
  return [...new Set([...own, ...others])];
}

/** The providers of a consumer's pacts that are not in the environment. */
const missingProviders = (
  rows: readonly Row[],
  move: Move,
  recorded: readonly Recorded[],
): string[] =>
  needed(rows, move)
    .filter((provider) => !recorded.some((one) => one.pacticipant === provider))
    .map((provider) => `no version of ${provider} is recorded in ${move.environment.name}`);

const needed = (rows: readonly Row[], { pacticipant }: Move): string[] => [
  ...new Set(rows.map(({ provider }) => provider).filter((provider) => provider !== pacticipant)),
];

const isVerifiedBy = (row: Row, { pacticipant, version }: Recorded): boolean =>
  row.provider === pacticipant && row.providerVersion === version && row.success === true;

/** The decision when no row prevents the deployment. */
async function settled(
  broker: Broker,
  { rows, deployable, wrong }: Matrix,
  { pacticipant, environment }: Move,
): Promise<Decision> {
  if (deployable !== true || wrong.length > 0) return { outcome: 'unknown', lines: wrong };
  const partial: string[] = [];
  for (const { result, ...row } of rows) {
    const left = result === undefined ? [] : await leftOutOf(broker, result);
    if (left.length > 0)
      partial.push(
        `${row.provider} ${row.providerVersion} has left out of the pact of ${consumerOf(row)}:`,
      );
    partial.push(...left.map((line) => `  ${line}`));
  }
  if (partial.length > 0) return { outcome: 'unknown', lines: partial };
  if (rows.length > 0) return { outcome: 'yes', lines: rows.map(keeps) };
  return {
    outcome: 'first',
    lines: [`nothing that has a pact with ${pacticipant} is recorded in ${environment.name}`],
  };
}

const keeps = (row: Row): string =>
  `${row.provider} ${row.providerVersion} keeps the pact of ${consumerOf(row)}`;

const consumerOf = ({ consumer, consumerVersion }: Omit<Row, 'result'>): string =>
  `${consumer} ${consumerVersion}`;
