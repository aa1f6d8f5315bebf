import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { targetAt } from '../../gate/under-test.ts';
import { type Pact, readPact } from '../../pacts/pact.ts';
import { verify } from '../../pacts/verify/verify.ts';
import type { Sandbox } from '../../sandbox/provider.ts';
import { expect, naming } from '../gate/process.ts';
import { fromRoot } from '../process.ts';
import { type TeamHandler, teamHandler } from './fake-server.ts';
import { openShop } from './shop.ts';
import { allEndpoints, findAddress, standardVerifier, test } from './standard-verifier.ts';
import { examplePact, monitorPact } from './story-world.ts';

/*
 * The bank is a collection of pacts as the libraries of six languages write them, in all versions of the
 * specification, and the two pacts of this project. The provider keeps some and breaks others. This project verifies them as Pact's own verifier does.
 */

const folder = fromRoot('tests/pacts/bank');

/** Where the result of this project differs from that of Pact's own verifier, and why. */
const differences: Readonly<Record<string, string>> = {
  // Before version 3, and without a generator, a placeholder is filled in by its name; the other sends it as it stands.
  'pact-go-v2-token-by-name': 'verified, not failed',
  'pact-go-v3-token-without-generator': 'verified, not failed',
  // A redirect is compared; the other follows it.
  'pact-js-v3-redirect': 'verified, not failed',
  // A state that no handler knows is not a failure of the provider.
  'pact-js-v4-unknown-state': 'unverified, not failed',
  // No state gives the value; the other sends the example instead.
  'pact-js-v4-value-of-no-state': 'unverified, not verified',
  // Any status is right, so that a success proves nothing.
  'pact-jvm-v4-any-status': 'unverified, not verified',
  // All paths of this API are below /public-api/v1/ (VERSION-1).
  'pact-python-v3-outside-the-prefix': 'failed, not verified',
};

const collected = readdirSync(folder).map((name) => path.join(folder, name));
const bank = [...collected.sort(), monitorPact, examplePact].map((file) => {
  const pact = readPact(readFileSync(file, 'utf8'));
  return { name: path.basename(file, '.json'), file, pact };
});

/** The results of this project, by the name of the pact, in one run as of `npm run pact:verify`. */
async function byThisProject(sandbox: Sandbox, { url }: TeamHandler): Promise<Map<string, string>> {
  const sources = bank.map(({ name, pact }) => ({ pact, from: name, pending: false }));
  const provider = { ...targetAt(sandbox.baseUrl), name: 'the shop' };
  const { pacts, unjudged, defect } = await verify({ sources, provider, statesUrl: url });
  expect({ unjudged, defect }).toEqual({ unjudged: undefined, defect: undefined });
  return new Map(
    pacts.map(({ source, interactions }) => [
      source.from,
      interactions.map(({ ending }) => ending).join(', '),
    ]),
  );
}

/** Before version 3 the verifier must send a fixed token, which expires when simulated time passes a day. */
const needsHeader = ({ pact: { specification, interactions } }: { readonly pact: Pact }): boolean =>
  specification < 3 &&
  interactions.every(({ states }) => states.every(({ name }) => name === 'a valid token'));

/** @param text a token @returns the results of Pact's own verifier, by the name of the pact */
async function byPact(sandbox: Sandbox, scratch: string, statesUrl: string, text: string) {
  const endings = new Map<string, string>();
  for (const header of [`Authorization=Bearer ${text}`, undefined]) {
    const group = bank.filter((entry) => needsHeader(entry) === (header !== undefined));
    const files = group.map(({ file }) => file);
    const options = { folder: scratch, files, provider: sandbox.baseUrl, statesUrl, header };
    const { results } = await standardVerifier(options);
    for (const { name, pact } of group) {
      const own = results.splice(0, pact.interactions.length);
      expect(own).toMatchObject(pact.interactions.map(({ description }) => ({ description })));
      const words = own.map(({ result }) => (result === 'OK' ? 'verified' : 'failed'));
      endings.set(name, words.join(', '));
    }
  }
  return endings;
}

test("the bank's pacts get the results of Pact's own verifier, except for the listed differences", async ({
  folder: scratch,
  serve,
  states,
}) => {
  const shop = openShop();
  const sandbox = await serve(shop.behaviour);
  await using team = await teamHandler((change) => shop.change(change));
  const ours = await byThisProject(sandbox, team);
  const env = { ...naming(sandbox), ...allEndpoints, PACT_STATES_URL: team.url.href };
  await using server = states(env);
  const text = [...sandbox.state.tokens.keys()].at(-1) ?? '';
  const theirs = await byPact(sandbox, scratch, await findAddress(server), text);
  const found = [...ours]
    .filter(([name, endings]) => endings !== theirs.get(name))
    .map(([name, endings]) => [name, `${endings}, not ${theirs.get(name)}`]);
  expect(Object.fromEntries(found)).toEqual(differences);
  const having = (ending: string) => [...ours.values()].filter((all) => all.includes(ending));
  expect(having('failed').length).toBeGreaterThanOrEqual(7);
  expect(having('verified').length).toBeGreaterThanOrEqual(30);
});
