import { setTimeout as pause } from 'node:timers/promises';
import type { Broker } from './broker.ts';
import { argumentsOf, type Command, needed, type Run } from './command.ts';
import { type Decision, decide, type Outcome } from './decision.ts';
import { environmentOf } from './environment.ts';
import { FlowError } from './flow-error.ts';
import type { Move } from './matrix.ts';

const answers: Readonly<Record<Outcome, { readonly text: string; readonly exit: 0 | 1 | 2 }>> = {
  yes: { text: 'may go to', exit: 0 },
  no: { text: 'must not go to', exit: 1 },
  unknown: { text: 'is not verified against what is in', exit: 2 },
  first: { text: 'finds nothing to be verified against in', exit: 2 },
};

/** The longest wait without a line on the terminal. */
const longestIntervalSeconds = 20;

export const canIDeploy: Command = {
  help: `npm run pact:can-i-deploy -- --pacticipant NAME --to-environment NAME

Decides from the broker's matrix whether this version may be deployed to an environment. Each version of the other side
that is there must have a verified pact with this version.

  --pacticipant NAME            a consumer; the provider (PACT_PROVIDER_NAME) unless named
  --version V                   unless git or the CI provides it
  --to-environment NAME
  --retry-while-unknown TIMES   repeats the question while the answer is unknown: a webhook's build may be verifying
  --retry-interval SECONDS      1 to ${longestIntervalSeconds}, 10 by default
  --first                       accepts the answer first
  --first-ever                  accepts it with a warning, as long as nothing at all is recorded there: for workflows

The answers: yes · no, and which interaction · unknown: not verified yet · first: no version of the other side is
recorded there, so nothing was compared. Record every deployment: the command sees only recorded ones.
Pact's own pact-broker can-i-deploy has two answers. It answers yes if nothing was compared, if only one of several
deployed versions of a provider has verified the pact, and if a result leaves interactions out.

Exit codes: 0 yes, or first if it is accepted · 1 no · 2 unknown, first, or the question is wrong · 3 a defect of this suite
`,
  async run(run) {
    const { values } = argumentsOf('can-i-deploy', {
      args: [...run.args],
      options: {
        pacticipant: { type: 'string' },
        version: { type: 'string' },
        'to-environment': { type: 'string' },
        'retry-while-unknown': { type: 'string', default: '0' },
        'retry-interval': { type: 'string', default: '10' },
        first: { type: 'boolean', default: false },
        'first-ever': { type: 'boolean', default: false },
      },
    });
    const pacticipant = needed('--pacticipant', values.pacticipant ?? run.settings.providerName);
    const to = needed('--to-environment', values['to-environment']);
    const times = whole('--retry-while-unknown', values['retry-while-unknown'], 0, 1000);
    const seconds = whole('--retry-interval', values['retry-interval'], 1, longestIntervalSeconds);
    const version = run.checkout(values).version();
    const broker = await run.broker();
    const move = { pacticipant, version, environment: await environmentOf(broker, to) };
    const decision = await decided(broker, move, { times, seconds, run });
    const accepted = values.first
      ? 'any'
      : values['first-ever'] && decision.ever
        ? 'ever'
        : undefined;
    return printAnswer(decision, move, accepted, run);
  },
};

/** @throws FlowError */
function whole(option: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (!/^\d{1,4}$/.test(text) || value < least || value > most)
    throw new FlowError(`${option} takes a whole number, ${least} to ${most}`);
  return value;
}

/** Repeats the decision while its outcome is unknown, and prints a line before each repetition. */
async function decided(
  broker: Broker,
  move: Move,
  { times, seconds, run }: { times: number; seconds: number; run: Pick<Run, 'print' | 'signal'> },
): Promise<Decision> {
  for (let time = 1; ; time++) {
    const decision = await decide(broker, move);
    if (decision.outcome !== 'unknown' || time > times) return decision;
    run.print(`unknown yet, asking again in ${seconds} s (${time} of ${times})`);
    await pause(seconds * 1000, undefined, { signal: run.signal });
  }
}

function printAnswer(
  { outcome, lines }: Decision,
  { pacticipant, version, environment }: Move,
  accepted: 'any' | 'ever' | undefined,
  { print, warn }: Pick<Run, 'print' | 'warn'>,
): 0 | 1 | 2 {
  const { text, exit } = answers[outcome];
  print(`${outcome}: ${pacticipant} ${version} ${text} ${environment.name}`);
  for (const line of lines) print(`  ${line}`);
  if (outcome !== 'first') return exit;
  if (accepted === 'ever')
    warn(
      `nothing is recorded in ${environment.name} yet, so ${pacticipant} ${version} was compared with nothing: accepted until something is recorded there, once (--first-ever)`,
    );
  else print(accepted ? '  that is known (--first)' : '  --first says that this is known');
  return accepted ? 0 : exit;
}
