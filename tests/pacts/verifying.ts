import { readFileSync } from 'node:fs';
import type { Target } from '../../contract/round/target.ts';
import { ownSandbox } from '../../gate/own-sandbox.ts';
import { readPact } from '../../pacts/pact.ts';
import { type Core, startCore } from '../../pacts/verify/core.ts';
import type { Source, Verification } from '../../pacts/verify/verification.ts';
import { type VerifyOptions, verify } from '../../pacts/verify/verify.ts';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { fromState, jsonBody, pactText } from './made-up.ts';

/** A fixed time, so that no verdict depends on the day of the test. */
const startAt = Date.UTC(2026, 4, 20, 9, 17, 23, 456);

/** What a test verifies: pacts, and how the sandbox differs from the correct one. */
type Options = Omit<VerifyOptions, 'sources' | 'provider'> & {
  readonly provider?: Partial<Behaviour>;
  /** Changes the target. */
  readonly aim?: (target: Target) => Target;
  /** Whether the run ends because of a defect of this suite. */
  readonly isDefective?: boolean;
};

let started: Core | undefined;

/** The core that the tests of a worker share. It ends with the worker's process. */
export function sharedCore(): Core {
  started ??= startCore();
  return started;
}

/** Verifies pacts against a provider of its own. @throws an unexpected defect of this suite, with its stack */
export async function verifying(
  sources: Source | readonly Source[],
  {
    provider = {},
    aim = (target: Target) => target,
    isDefective = false,
    ...options
  }: Options = {},
): Promise<Verification> {
  await using sandbox = await ownSandbox({ behaviour: { ...right, ...provider }, startAt });
  const run = await verify({
    core: sharedCore(),
    ...options,
    sources: [sources].flat(),
    provider: { name: 'the provider', target: aim(sandbox.target) },
  });
  if (!isDefective && run.defect !== undefined) throw new Error(run.defect);
  return run;
}

/** The pact of the monitor, as it is committed. */
export const ownPact: Source = sourceOf(
  readFileSync(new URL('../../pacts/public-api-monitor-public-api.json', import.meta.url), 'utf8'),
);

/** A target whose time is real. */
export const withoutClock = ({ clock: _, ...target }: Target): Target => target;

/** A pact of version 4 with these interactions. */
export const pactOf = (...interactions: readonly object[]): Source =>
  sourceOf(textOf(...interactions));

export const textOf = (...interactions: readonly object[]): string =>
  pactText(interactions, { consumer: { name: 'a-consumer' } });

export function sourceOf(text: string): Source {
  return { pact: readPact(text), from: 'a test', pending: false };
}

export const pending = (source: Source): Source => ({ ...source, pending: true });

type State = string | { readonly name: string; readonly params: object };

/** An interaction: a GET of the sandbox's first endpoint with the answer 200, unless specified otherwise. */
export const interaction = (
  description: string,
  states: readonly State[],
  { request = {}, response = {} }: { request?: object; response?: object } = {},
): object => ({
  type: 'Synchronous/HTTP',
  description,
  providerStates: states.map((state) => (typeof state === 'string' ? { name: state } : state)),
  request: { method: 'GET', path: '/public-api/v1/widgets', ...request },
  response: { status: 200, ...response },
});

/** A request with the token from a state. */
export const withToken = {
  headers: { Authorization: ['Bearer <ACCESS_TOKEN>'] },
  generators: { header: { Authorization: fromState('Bearer ${accessToken}') } },
};

/** A call with the token that one of the states gives. */
export const callWithToken = (
  description = 'a call',
  states: readonly State[] = ['a valid token'],
  response: object = {},
): object => interaction(description, states, { request: withToken, response });

/** A request for a token with the credentials from a state. */
export const forToken = {
  method: 'POST',
  path: '/public-api/v1/auth/token',
  headers: { 'Content-Type': ['application/json'] },
  body: jsonBody({ apiKey: '<API_KEY>', secretKey: '<SECRET_KEY>' }),
  generators: {
    body: { '$.apiKey': fromState('${apiKey}'), '$.secretKey': fromState('${secretKey}') },
  },
};

export const aged = (hours: number) => ({ name: 'a token made some hours ago', params: { hours } });

/** `a call: verified`, with the reason where there is one. */
export const endings = ({ pacts }: Pick<Verification, 'pacts'>): string[] =>
  pacts
    .flatMap(({ interactions }) => interactions)
    .map(({ interaction: { description }, ending, reason }) =>
      [`${description}: ${ending}`, ...(reason === undefined ? [] : [reason])].join(', '),
    );

/** The endings of a verification. */
export const endingsOf = async (...of: Parameters<typeof verifying>): Promise<string[]> =>
  endings(await verifying(...of));
