import { isDeepStrictEqual } from 'node:util';
import { lint } from '../lint.ts';
import { type LocalPact, localPacts } from '../local.ts';
import type { Pact } from '../pact.ts';
import { type Broker, openBroker, pathOf } from './broker.ts';
import type { Checkout } from './checkout.ts';
import { argumentsOf, type Command, named } from './command.ts';
import { asPublished, listAt } from './document.ts';
import { FlowError } from './flow-error.ts';

/** Whose pacts are published unless files are named. */
const ownConsumer = 'public-api-monitor';

export const publish: Command = {
  help: `npm run pact:publish

Publishes the pacts of one consumer, with its version and branch, and sees that the broker has them.

  npm run pact:publish                          those of ${ownConsumer}
  npm run pact:publish -- pacts/example/pacts   those in files or folders, of one consumer
  npm run pact:publish -- --version V --branch B    unless git or the CI tells them

Exit codes: 0 published · 2 not published, and why · 3 a defect of this suite
`,
  async run(run) {
    const { values, positionals } = argumentsOf('publish', {
      args: [...run.args],
      allowPositionals: true,
      options: { version: { type: 'string' }, branch: { type: 'string' } },
    });
    const pacts = await pactsOf(positionals);
    const checkout = run.checkout(named(values));
    const broker = await openBroker(run.settings.broker);
    await publishPacts(broker, pacts, checkout);
    for (const { consumer, provider } of pacts)
      run.say(`published: ${consumer} ${checkout.version()} with ${provider}, ${broker.shown}`);
    return 0;
  },
};

/** @throws FlowError when they are of several consumers, or one must not be published */
async function pactsOf(paths: readonly string[]): Promise<readonly [Pact, ...Pact[]]> {
  const all = await localPacts(paths);
  const found = paths.length > 0 ? all : all.filter(({ pact }) => pact.consumer === ownConsumer);
  const [first, ...rest] = found.map(({ pact }) => pact);
  if (first === undefined)
    throw new FlowError(`there is no pact of ${ownConsumer}: npm run pact:consumer writes it`);
  const other = rest.find(({ consumer }) => consumer !== first.consumer);
  if (other !== undefined)
    throw new FlowError(
      `these are pacts of ${first.consumer} and of ${other.consumer}: publish one consumer's at a time`,
    );
  const wrong = found.flatMap(complaints);
  if (wrong.length > 0) throw new FlowError(wrong.join('\n'));
  return [first, ...rest];
}

const complaints = ({ pact, from }: LocalPact): string[] =>
  lint(pact).map((complaint) => `${from}: ${complaint}`);

async function publishPacts(
  broker: Broker,
  pacts: readonly [Pact, ...Pact[]],
  { version, branch, buildUrl }: Checkout,
): Promise<void> {
  const [{ consumer }] = pacts;
  const [number, head] = [version(), branch()];
  const reply = await broker.ask('POST', '/contracts/publish', {
    pacticipantName: consumer,
    pacticipantVersionNumber: number,
    branch: head,
    buildUrl,
    contracts: pacts.map((pact) => ({
      consumerName: pact.consumer,
      providerName: pact.provider,
      specification: 'pact',
      contentType: 'application/json',
      content: Buffer.from(JSON.stringify(pact.document)).toString('base64'),
    })),
  });
  for (const pact of pacts) {
    const there = await broker.ask('GET', placeOf(pact, number));
    if (reply.status === 409 && there.ok && !sameContent(there.document, pact))
      throw new FlowError(
        `the Pact Broker has other pacts of ${consumer} ${number}, and a version does not change: commit, and publish the new version`,
      );
    if (!reply.ok) throw new FlowError(`the Pact Broker refuses the pact: ${reply.why}`);
    if (!there.ok || !sameContent(there.document, pact))
      throw new FlowError(
        `the Pact Broker does not have the pact that was published: ${there.why}`,
      );
  }
  await broker.get(
    pathOf`/pacticipants/${consumer}/branches/${head}/versions/${number}`,
    `version ${number} on branch "${head}" after it was published`,
  );
}

const placeOf = ({ provider, consumer }: Pact, version: string): string =>
  pathOf`/pacts/provider/${provider}/consumer/${consumer}/version/${version}`;

/**
 * The same interactions, in any order: a broker keeps pacts that differ in their metadata once, and writes numbers its
 * own way.
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
