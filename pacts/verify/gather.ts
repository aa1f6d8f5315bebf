import type { Secret } from '../../contract/secrets/secret.ts';
import { loadEnvironment, loadPactSettings, loadSettings } from '../../settings.ts';
import { openBroker } from '../flow/broker.ts';
import { checkoutOf, deploymentOf } from '../flow/checkout.ts';
import { FlowError } from '../flow/flow-error.ts';
import { brokerPacts } from '../flow/source.ts';
import { lint } from '../lint.ts';
import { localPacts } from '../local.ts';
import { type Pact, PactError, providerName } from '../pact.ts';
import type { Arguments } from './arguments.ts';
import type { PactResult, Source } from './verification.ts';

/** The pacts of a run. */
export interface Gathered {
  readonly sources: readonly Source[];
  /** What is said about where they come from, and about those that cannot be used: a line each. */
  readonly notes: readonly string[];
  /** Pending pacts that the lint refuses: their requests are not sent. */
  readonly refused: readonly Source[];
  /**
   * Publishes a result, where results are published, and reads it back.
   * @throws FlowError when it is not in the broker afterwards
   */
  readonly publish?: (result: PactResult) => Promise<{ published: boolean; line: string }>;
}

/**
 * Gathers the pacts that the command line names, else the broker's, else those of this project; and sees that each can
 * be verified as it stands.
 * @param secrets are kept out of whatever is told of the broker's answers
 * @throws SettingsError, FlowError, PactError, the latter with a line for each complaint
 */
export async function gather(options: Arguments, secrets: readonly Secret[]): Promise<Gathered> {
  const settings = loadPactSettings();
  const gathered =
    settings.broker === undefined || options.paths.length > 0
      ? await local(options, settings.broker !== undefined)
      : await fromBroker(settings, options, secrets);
  return chosen(linted(gathered), options.interaction);
}

const noProvider =
  "no provider is set, and what the sandbox does is not published under the provider's name: set PUBLIC_API_BASE_URL, or add --no-publish, or --sandbox to publish it all the same";

type Settings = ReturnType<typeof loadPactSettings>;

async function local({ paths }: Arguments, idleBroker: boolean): Promise<Gathered> {
  const pacts = await localPacts(paths, { example: loadSettings().provider === undefined });
  return {
    sources: pacts.map((one) => ({ ...one, pending: false, notices: [] })),
    notes: idleBroker ? ['pacts were named: none comes from the broker, nothing is published'] : [],
    refused: [],
  };
}

async function fromBroker(
  { broker: access, pactUrl, version, branch }: Settings,
  { publish, sandbox }: Arguments,
  secrets: readonly Secret[],
): Promise<Gathered> {
  const named = { ...(version && { version }), ...(branch && { branch }) };
  const onSandbox = loadSettings().provider === undefined;
  if (publish && onSandbox && !sandbox) throw new FlowError(noProvider);
  const checkout = (publish && !onSandbox ? deploymentOf : checkoutOf)(named, loadEnvironment());
  const by = {
    branch: checkout.branch(),
    buildUrl: checkout.buildUrl,
  };
  const verified = publish ? checkout.version() : undefined;
  const broker = await openBroker(access, secrets);
  const found = await brokerPacts(broker, {
    provider: providerName,
    branch: by.branch,
    pactUrl,
  });
  return {
    sources: found.sources,
    notes: [`pacts of the broker ${broker.shown}`, ...found.unreadable],
    refused: [],
    ...(verified === undefined
      ? {}
      : { publish: (result) => found.publish(result, { ...by, version: verified }) }),
  };
}

/** @throws PactError when the lint refuses a pact that is not pending */
function linted(gathered: Gathered): Gathered {
  const complaints = gathered.sources.map((source) => ({ source, lines: linesOf(source) }));
  const wrong = complaints.filter(({ lines }) => lines.length > 0);
  const failing = wrong.filter(({ source }) => !source.pending).flatMap(({ lines }) => lines);
  if (failing.length > 0) throw new PactError(failing.join('\n'));
  const refused = wrong.map(({ source }) => source);
  return {
    ...gathered,
    sources: gathered.sources.filter((source) => !refused.includes(source)),
    refused,
    notes: [...gathered.notes, ...wrong.flatMap(({ lines }) => lines)],
  };
}

const linesOf = ({ pact, from }: Source): string[] =>
  lint(pact).map((complaint) => `${from}: ${complaint}`);

/** The interactions whose description holds the words. @throws PactError when there is none */
function chosen(gathered: Gathered, words: string | undefined): Gathered {
  if (words === undefined) return gathered;
  const sources = gathered.sources.flatMap((source) => {
    const pact = narrowed(source.pact, words);
    return pact === undefined ? [] : [{ ...source, pact }];
  });
  if (sources.length === 0)
    throw new PactError(`no interaction is described by ${JSON.stringify(words)}`);
  return { ...gathered, sources };
}

function narrowed(pact: Pact, words: string): Pact | undefined {
  const wanted = words.toLowerCase();
  const [first, ...rest] = pact.interactions.filter(({ description }) =>
    description.toLowerCase().includes(wanted),
  );
  return first === undefined ? undefined : { ...pact, interactions: [first, ...rest] };
}
