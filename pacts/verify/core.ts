import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { rootCertificates } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { scratch } from '../../contract/command.ts';
import { at } from '../../contract/json-value.ts';
import type { Interaction, Pact } from '../pact.ts';

export type Core = ReturnType<typeof startCore>;

/** Options of pact-core's `verifyPacts`. */
const verifierOptions = {
  providerStatesSetupBody: true,
  providerStatesSetupTeardown: true,
  followRedirects: false,
  logLevel: 'error',
  /** Of one answer. The relay, which is the only one to answer, has limits of its own. */
  timeout: 2 ** 31 - 1,
};

const program = fileURLToPath(new URL('child.ts', import.meta.url));

/**
 * Starts Pact's core in its own process. It runs one job at a time. It gets the values of states, but no variable of
 * this process: neither credentials nor proxies nor filters of Pact. Its output is discarded,
 * because it may quote what it sends.
 * @param signal kills the core
 */
export function startCore(signal?: AbortSignal) {
  const { folder, remove } = scratch('pacts');
  // The core reads all trusted certificates before each request, which takes most of its time, and without any it sends
  // none. It needs none, because it calls only the relay, over http.
  const certificate = path.join(folder, 'certificate.pem');
  writeFileSync(certificate, `${rootCertificates[0]}\n`);
  const child = fork(program, {
    cwd: folder,
    env: { PACT_DO_NOT_TRACK: 'true', SSL_CERT_FILE: certificate },
    execArgv: [],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    signal,
    killSignal: 'SIGKILL',
  });
  const ended = new Promise<never>((_, reject) => {
    child.once('error', reject);
    child.once('exit', (code, name) =>
      reject(new Error(`Pact's core has ended (${name ?? `exit code ${code}`})`)),
    );
  });
  ended.catch(() => {});
  return {
    /**
     * @param pact its text
     * @param relay its address, and that at which it sets up states
     * @returns the core's results as JSON, or the text of its error
     * @throws when the core crashes or is killed: a defect of this suite
     */
    verify(pact: string, relay: { readonly origin: string; readonly states: string }) {
      const copy = path.join(folder, 'pact.json');
      writeFileSync(copy, pact);
      const options = { ...verifierOptions, pactUrls: [copy], providerBaseUrl: relay.origin };
      const answer = new Promise<string>((resolve) => child.once('message', resolve));
      // If the core has already ended, that is a better message than the error of the pipe.
      child.send({ ...options, providerStatesSetupUrl: relay.states }, () => {});
      return Promise.race([answer, ended]);
    },
    close(): void {
      child.kill('SIGKILL');
      remove();
    },
  };
}

/** The header that identifies the interaction of a request. The relay removes it. */
export const markHeader = 'x-pact-interaction';

/**
 * Request headers that are not forwarded: hop-by-hop headers (RFC 9110 7.6.1), headers that the client writes itself,
 * and headers for the relay. The client requests only codings that it knows. A pact's length is that of its example.
 */
export const unforwardedHeaders =
  /^(accept-encoding|connection|content-length|host|keep-alive|te|trailer|transfer-encoding|upgrade|x-pact-interaction)$/i;

/**
 * A copy of a pact for Pact's core: the interactions to verify, with only their requests and expectations. Each has
 * one state, its mark, in place of its own states. So the core requests one setup for each interaction, and its
 * results name the interaction in every version of the specification. No other part of the pact can influence it.
 * @param marks the marks of the interactions to verify
 */
export function createCopy(pact: Pact, marks: ReadonlyMap<Interaction, string>): string {
  const interactions = pact.interactions.flatMap((interaction) => {
    const mark = marks.get(interaction);
    return mark === undefined ? [] : [markInteraction(interaction, mark, pact.specification)];
  });
  return JSON.stringify({
    consumer: { name: pact.consumer },
    provider: { name: pact.provider },
    interactions,
    metadata: { pactSpecification: { version: `${pact.specification}.0.0` } },
  });
}

function markInteraction(
  { description, document }: Interaction,
  mark: string,
  specification: number,
) {
  const request = Object(document.request);
  // The core compares the case of a header with that of its generator, and would send both spellings.
  const generated = Object.keys(Object(at(request, 'generators', 'header')));
  const headers = Object.entries(Object(request.headers))
    .filter(([name]) => !unforwardedHeaders.test(name))
    .map(([name, value]) => [
      generated.find((generatedName) => generatedName.toLowerCase() === name.toLowerCase()) ?? name,
      value,
    ]);
  const marks = specification < 4 ? mark : [mark];
  return {
    ...(specification < 4 ? {} : { type: 'Synchronous/HTTP' }),
    description,
    providerStates: [{ name: mark }],
    request: { ...request, headers: { ...Object.fromEntries(headers), [markHeader]: marks } },
    response: document.response,
  };
}
