import { isDeepStrictEqual } from 'node:util';
import { errorsIn, lint } from '../lint.ts';
import { type LocalPact, localPacts } from '../local.ts';
import type { Pact } from '../pact.ts';
import { type Broker, pathOf } from './broker.ts';
import type { Checkout } from './checkout.ts';
import { argumentsOf, type Command } from './command.ts';
import { asPublished, listAt } from './document.ts';
import { FlowError } from './flow-error.ts';

/** The consumer whose pacts are published if no files are named. */
const ownConsumer = 'public-api-monitor';

export const publish: Command = {
  help: `npm run pact:publish

Publishes the pacts of one consumer, with version and branch, and checks that the broker has them unchanged.
A pact that the lint refuses is not published; the others are.

  npm run pact:publish                          those of ${ownConsumer}
  npm run pact:publish -- FILE FOLDER           those in files or folders, of one consumer
  --version V --branch B                        unless git or the CI provides them
  --auto-detect-version-properties              changes nothing: they are always detected
  --tag TAG, --tag-with-git-branch              tags the version too; --tag may be repeated
  --dry-run                                     sends no pact: only reads the broker's index, and
                                                prints what would be published

Exit codes: 0 published · 2 not published, and why · 3 a defect of this suite
`,
  async run(run) {
    const { values, positionals } = argumentsOf('publish', {
      args: [...run.args],
      allowPositionals: true,
      options: {
        version: { type: 'string' },
        branch: { type: 'string' },
        'auto-detect-version-properties': { type: 'boolean' },
        tag: { type: 'string', multiple: true, default: [] },
        'tag-with-git-branch': { type: 'boolean', default: false },
        'dry-run': { type: 'boolean', default: false },
      },
    });
    const found = await pactsOf(run.settings.providerName, positionals, run.print);
    const refused = found.flatMap(errors);
    const pacts = found.filter((one) => errors(one).length === 0).map(({ pact }) => pact);
    if (pacts.length === 0) throw new FlowError(refused.join('\n'));
    for (const line of found.flatMap(warnings)) run.print(`warning: ${line}`);
    const checkout = run.checkout(values);
    const broker = await run.broker();
    const dry = values['dry-run'];
    const tags = [...values.tag, ...(values['tag-with-git-branch'] ? [checkout.branch()] : [])];
    if (!dry) await publishPacts(broker, pacts, checkout, tags);
    for (const { consumer, provider } of pacts)
      run.print(
        `${dry ? 'would be published' : 'published'}: ${consumer} ${checkout.version()} with ${provider}, ${broker.shown}`,
      );
    if (refused.length > 0) throw new FlowError(refused.join('\n'));
    return 0;
  },
};

/** @throws FlowError when there is no pact, or the pacts belong to several consumers */
async function pactsOf(
  providerName: string,
  paths: readonly string[],
  onPassedOver: (line: string) => void,
): Promise<readonly LocalPact[]> {
  const all = await localPacts(providerName, paths, { onPassedOver });
  const found = paths.length > 0 ? all : all.filter(({ pact }) => pact.consumer === ownConsumer);
  if (found.length === 0)
    throw new FlowError(`there is no pact of ${ownConsumer}: npm run pact:consumer writes it`);
  const [first, ...rest] = found.filter(({ unreadable }) => unreadable === undefined);
  for (const other of rest) checkAlike(first ?? other, other);
  return found;
}

/** The broker would keep only one of two pacts with one provider. @throws FlowError */
function checkAlike({ pact, from }: LocalPact, other: LocalPact): void {
  if (other.pact.consumer !== pact.consumer)
    throw new FlowError(
      `these are pacts of ${pact.consumer} and of ${other.pact.consumer}: publish one consumer's at a time`,
    );
  if (!sameContent(other.pact.document, pact))
    throw new FlowError(
      `${from} and ${other.from} are two pacts of ${pact.consumer}, whose version has one: merge them into one file`,
    );
}

const errors = ({ pact, from, unreadable }: LocalPact): string[] =>
  unreadable === undefined
    ? errorsIn(pact).map(({ line }) => `${from}: ${line}`)
    : [`${from}: ${unreadable}`];

const warnings = ({ pact, from }: LocalPact): string[] =>
  lint(pact)
    .filter(({ level }) => level === 'warning')
    .map(({ line }) => `${from}: ${line}`);

/**
 * Uses the same API as Pact's own client, but not the client itself. The client drops unknown members, and a query of
 * version 2 that is an object. The broker would then not have the pact that was tested.
 */
async function publishPacts(
  broker: Broker,
  pacts: readonly Pact[],
  { version, branch, buildUrl }: Checkout,
  tags: readonly string[],
): Promise<void> {
  const number = version();
  const head = branch();
  const reply = await broker.request('POST', '/contracts/publish', {
    pacticipantName: pacts[0]?.consumer,
    pacticipantVersionNumber: number,
    branch: head,
    buildUrl,
    tags,
    contracts: pacts.map(({ consumer, provider, document }) => ({
      consumerName: consumer,
      providerName: provider,
      specification: 'pact',
      contentType: 'application/json',
      content: Buffer.from(JSON.stringify(document)).toString('base64'),
    })),
  });
  for (const pact of pacts) {
    const { consumer, provider } = pact;
    const place = pathOf`/pacts/provider/${provider}/consumer/${consumer}/version/${number}`;
    const there = await broker.request('GET', place);
    if (reply.status === 409 && there.ok && !sameContent(there.document, pact))
      throw new FlowError(
        `the Pact Broker has other pacts of ${consumer} ${number}, and a version does not change: commit, and publish the new version`,
      );
    if (!reply.ok) throw new FlowError(`the Pact Broker refuses the pact: ${reply.why}`);
    if (!there.ok || !sameContent(there.document, pact))
      throw new FlowError(
        `the Pact Broker does not have the pact that was published: ${there.why}`,
      );
    const onBranch = pathOf`/pacticipants/${consumer}/branches/${head}/versions/${number}`;
    await broker.get(onBranch, `version ${number} on branch "${head}" after it was published`);
  }
}

/**
 * Whether the interactions are the same, in any order. A broker stores pacts that differ only in their metadata
 * once, and changes the spelling of numbers.
 */
function sameContent(document: unknown, pact: Pact): boolean {
  const [one, other] = [asPublished(document), pact.document].map((from) =>
    listAt(JSON.parse(JSON.stringify(from)), 'interactions'),
  );
  return (
    one?.length === other?.length &&
    one?.every((mine) => other?.some((its) => isDeepStrictEqual(mine, its))) === true
  );
}
