import {
  loadEnvironment,
  loadPactSettings,
  loadSettings,
  type PactSettings,
} from '../../config/settings.ts';
import { printable } from '../../contract/secrets/printable.ts';
import { BrokerError, type BrokerOptions, openBroker } from '../broker/broker.ts';
import { checkoutOf } from '../broker/checkout.ts';
import { brokerPacts } from '../broker/source.ts';
import { defaultPlaces, localPacts } from '../local.ts';
import { PactError } from '../pact.ts';
import type { Arguments } from './arguments.ts';
import type { PactResult, Source, Verification } from './verification.ts';

export interface PactSelection {
  readonly sources: readonly Source[];
  /** The origin of the pacts, and those that were passed over: one line each. */
  readonly notes: readonly string[];
  /** Publishes a result, if results are published. @returns a line about it @throws BrokerError */
  readonly publish?: (result: PactResult) => Promise<string>;
}

/**
 * Selects the pacts that the command line names, else the broker's, else this project's.
 * @param access options for the requests to the broker
 * @throws SettingsError, BrokerError, PactError
 */
export async function selectPacts(
  options: Arguments,
  access: BrokerOptions,
): Promise<PactSelection> {
  const settings = loadPactSettings();
  const selected =
    settings.broker === undefined || options.paths.length > 0
      ? await local(options, settings)
      : await fromBroker(settings, options, access);
  return chosen(selected, options.interaction);
}

const noProvider =
  "no provider is set, and what the sandbox does is not published under the provider's name: set PUBLIC_API_BASE_URL, or add --no-publish, or --sandbox to publish it all the same";

async function local(
  { paths }: Arguments,
  { broker, providerName }: PactSettings,
): Promise<PactSelection> {
  const notes = broker === undefined ? [] : ['pacts were named: nothing is published'];
  const places = paths.length > 0 ? paths : defaultPlaces(loadSettings().provider === undefined);
  const sources = await localPacts(providerName, places, (line) => notes.push(line));
  return { sources, notes };
}

async function fromBroker(
  { broker: address, providerName, selectors, pactUrl, version, branch }: PactSettings,
  { publish, sandbox }: Arguments,
  access: BrokerOptions,
): Promise<PactSelection> {
  const onSandbox = loadSettings().provider === undefined;
  if (publish && onSandbox && !sandbox) throw new BrokerError(noProvider);
  const by = checkoutOf({
    named: { version, branch },
    env: loadEnvironment(),
    needsVersion: publish,
    folder: publish && !onSandbox ? undefined : '.',
  });
  const broker = await openBroker(address, access);
  const wanted = { provider: providerName, branch: by.branch, selectors, pactUrl };
  const found = await brokerPacts(broker, wanted);
  return {
    sources: found.sources,
    notes: [`pacts of the broker ${broker.shown}`],
    publish: publish ? (result) => found.publish(result, by) : undefined,
  };
}

/** Keeps the interactions whose description holds the words. @throws PactError when there is none */
function chosen(selected: PactSelection, words: string | undefined): PactSelection {
  if (words === undefined) return selected;
  // A report prints descriptions without control characters, and so does the command that repeats a failure.
  const comparable = (text: string): string => printable(text).toLowerCase();
  const wanted = comparable(words);
  const sources = selected.sources
    .map(({ pact, ...source }) => {
      const interactions = pact.interactions.filter(({ description }) =>
        comparable(description).includes(wanted),
      );
      return { ...source, pact: { ...pact, interactions } };
    })
    .filter(({ pact }) => pact.interactions.length > 0);
  if (sources.length > 0) return { ...selected, sources };
  throw new PactError(`no interaction is described by ${JSON.stringify(words)}`);
}

/**
 * Publishes the result of each pact, if results are published. After a defect of this suite it publishes nothing, and
 * nothing about what was left when the provider could no longer be judged.
 * @returns one line for each pact, and whether the broker lacks a result that a consumer waits for
 */
export async function publishAll(
  { publish }: Pick<PactSelection, 'publish'>,
  { pacts, defect, unjudged }: Pick<Verification, 'pacts' | 'defect' | 'unjudged'>,
): Promise<{ readonly notes: readonly string[]; readonly missing: boolean }> {
  const notes: string[] = [];
  let missing = false;
  if (publish === undefined || defect !== undefined) return { notes, missing };
  for (const result of pacts) {
    const endings = new Set(result.interactions.map(({ ending }) => ending));
    if (unjudged !== undefined && endings.has('unverified') && !endings.has('failed')) {
      missing ||= !result.source.pending;
      notes.push(`not published: the pact of ${result.source.pact.consumer} is not verified`);
      continue;
    }
    const line = await publish(result).catch((error: unknown) => {
      if (!(error instanceof BrokerError)) throw error;
      // Without the result, can-i-deploy later answers unknown, also for a pending pact.
      missing = true;
      return `not published: ${error.message}`;
    });
    notes.push(line);
  }
  return { notes, missing };
}
