import { loadEnvironment, loadPactSettings, loadSettings } from '../../config/settings.ts';
import { needsSandbox } from '../../gate/under-test.ts';
import {
  type BrokerAccess,
  BrokerError,
  type BrokerOptions,
  openBroker,
} from '../broker/broker.ts';
import { findCheckout } from '../broker/checkout.ts';
import { brokerPacts, publishResult } from '../broker/pacts.ts';
import { defaultPlaces, localPacts } from '../local.ts';
import { type Interaction, PactError } from '../pact.ts';
import type { PactResult, Source, Verification } from '../verification.ts';
import type { Arguments } from './arguments.ts';

export interface PactSelection {
  readonly sources: readonly Source[];
  /** The origin of the pacts, and those that were passed over: one line each. */
  readonly notes: readonly string[];
  /** Publishes a result, if results are published. @returns a line about it @throws BrokerError */
  readonly publish?: (result: PactResult) => Promise<string>;
}

/**
 * Selects the pacts that the command line names, else the broker's, else this project's.
 * @param options for the requests to the broker
 * @throws SettingsError, BrokerError, PactError
 */
export async function selectPacts(
  { paths, interaction, ...how }: Arguments,
  options: BrokerOptions,
): Promise<PactSelection> {
  const { broker, providerName } = loadPactSettings();
  const settings = loadSettings();
  const { timeoutMs, proxies } = settings;
  if (broker !== undefined && paths.length === 0) {
    const access = { ...broker, timeoutMs, proxies };
    return filterInteractions(await fromBroker(access, how, options), interaction);
  }
  const places = paths.length > 0 ? paths : defaultPlaces(needsSandbox(settings));
  const { sources, notes } = await localPacts(providerName, places);
  if (broker !== undefined) notes.unshift('pacts were named: nothing is published');
  return filterInteractions({ sources, notes }, interaction);
}

const noProvider =
  "no provider is set, and what the sandbox does is not published under the provider's name: set PUBLIC_API_BASE_URL, or add --no-publish, or --sandbox to publish it all the same";

async function fromBroker(
  access: BrokerAccess,
  { publish, sandbox }: Pick<Arguments, 'publish' | 'sandbox'>,
  options: BrokerOptions,
): Promise<PactSelection> {
  const { providerName: provider, version, branch, ...selection } = loadPactSettings();
  const isSandbox = needsSandbox(loadSettings());
  if (publish && isSandbox && !sandbox) throw new BrokerError(noProvider);
  // What is not published needs no version, and a provider that runs elsewhere is not that of this folder.
  const named = { version: publish ? version : 'unpublished', branch };
  const by = findCheckout(named, loadEnvironment(), publish && !isSandbox ? undefined : '.');
  const broker = await openBroker(access, options);
  return {
    sources: await brokerPacts(broker, { ...selection, provider, branch: by.branch }),
    notes: [`pacts of the broker ${broker.shown}`],
    publish: publish ? (result) => publishResult(broker, result, by) : undefined,
  };
}

/** Keeps the interactions whose description holds the words. @throws PactError when there is none */
function filterInteractions(selected: PactSelection, words: string | undefined): PactSelection {
  if (words === undefined) return selected;
  const isWanted = ({ description }: Interaction): boolean =>
    description.toLowerCase().includes(words.toLowerCase());
  const sources = selected.sources
    .map(({ pact, ...source }) => ({
      ...source,
      pact: { ...pact, interactions: pact.interactions.filter(isWanted) },
    }))
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
) {
  const notes: string[] = [];
  let isMissing = false;
  if (publish === undefined || defect !== undefined) return { notes, isMissing };
  for (const result of pacts) {
    const endings = new Set(result.interactions.map(({ ending }) => ending));
    try {
      if (unjudged !== undefined && endings.has('unverified') && !endings.has('failed'))
        throw new BrokerError(`the pact of ${result.source.pact.consumer} is not verified`);
      notes.push(await publish(result));
    } catch (error) {
      if (!(error instanceof BrokerError)) throw error;
      // Without the result, can-i-deploy later answers unknown, also for a pending pact.
      isMissing = true;
      notes.push(`not published: ${error.message}`);
    }
  }
  return { notes, isMissing };
}
