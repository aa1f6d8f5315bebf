/**
 * Who may import whom: the first row that a file lies in counts; a folder, with its slash, stands for what lies in it.
 * Data flows one way, judge and accused share no code, and only what needs a sandbox knows of it.
 */
export const mayImport: readonly (readonly [who: string, ...whom: string[]])[] = [
  ['contract/', 'contract/', 'schemas/'],
  ['probes/index.ts', 'contract/probe.ts', 'probes/'],
  ['probes/', 'contract/'],
  ['sandbox/', 'sandbox/'],
  [
    'monitor/main.ts',
    'contract/',
    'monitor/',
    'probes/index.ts',
    'sandbox/provider.ts',
    'settings.ts',
  ],
  [
    'monitor/probe/',
    'contract/',
    'monitor/',
    'probes/index.ts',
    'sandbox/provider.ts',
    'settings.ts',
    'settings/',
  ],
  [
    'monitor/demo/',
    'contract/',
    'monitor/',
    'probes/index.ts',
    'sandbox/',
    'settings.ts',
    'settings/command-line.ts',
  ],
  ['monitor/config/', 'contract/', 'monitor/', 'settings.ts', 'settings/'],
  ['monitor/', 'contract/', 'monitor/', 'probes/index.ts'],
  ['gate/in-memory.ts', 'contract/', 'sandbox/'],
  ['gate/own-sandbox.ts', 'contract/', 'sandbox/provider.ts'],
  [
    'gate/mutant-case.ts',
    'contract/',
    'gate/expectations.ts',
    'gate/in-memory.ts',
    'gate/own-sandbox.ts',
    'probes/index.ts',
    'sandbox/',
  ],
  ['gate/', 'contract/', 'gate/', 'probes/index.ts', 'settings.ts', 'settings/command-line.ts'],
  ['settings.ts', 'contract/', 'settings/'],
  ['settings/', 'contract/', 'settings/'],
  [
    'pacts/broker/',
    'contract/http/transport.ts',
    'pacts/broker/',
    'settings/command-line.ts',
    'tools/setup/',
  ],
  [
    'pacts/flow/',
    'contract/',
    'pacts/exact.ts',
    'pacts/flow/',
    'pacts/lint.ts',
    'pacts/local.ts',
    'pacts/pact.ts',
    'pacts/verify/verification.ts',
    'settings.ts',
    'settings/',
  ],
  ['pacts/example/', 'pacts/example/'],
  [
    'pacts/verify/',
    'contract/',
    'gate/provider-under-test.ts',
    'pacts/',
    'settings.ts',
    'settings/command-line.ts',
  ],
  ['pacts/', 'contract/', 'pacts/', 'settings/nearest.ts'],
  ['tools/setup/', 'tools/setup/'],
  ['tools/bench/', 'tools/bench/', 'contract/', 'gate/', 'monitor/', 'probes/index.ts', 'sandbox/'],
  [
    'tools/pictures/',
    'contract/',
    'gate/',
    'monitor/',
    'pacts/broker/',
    'tools/pictures/',
    'probes/index.ts',
    'sandbox/',
    'tests/operations/',
  ],
  ['playwright.config.ts'],
  ['tests/', ''],
];

/**
 * The files, or the folder, that a package is imported by, tests aside; of Node's own modules those that open sockets.
 * Over `node:net` the gate talks with the processes that it starts; of `node:tls` Pact's core is given a certificate.
 */
export const importedBy: Readonly<Record<string, readonly string[]>> = {
  '@hono/node-server': ['monitor/web/server.ts'],
  '@pact-foundation/pact': ['pacts/example/'],
  '@pact-foundation/pact-core': ['pacts/verify/child.ts'],
  '@playwright/test': [
    'tools/bench/',
    'gate/playwright.ts',
    'pacts/consumer.ts',
    'tools/pictures/',
    'playwright.config.ts',
  ],
  ajv: ['contract/schema.ts'],
  dotenv: ['settings/env-file.ts'],
  hono: ['contract/report/markup.ts', 'monitor/web/page/', 'monitor/web/routes.ts'],
  pino: ['monitor/watch/log.ts'],
  'prom-client': ['monitor/metrics/'],
  yaml: ['monitor/config/'],
  'node:http': ['contract/http/transport.ts', 'pacts/verify/relay.ts', 'sandbox/provider.ts'],
  'node:https': ['contract/http/transport.ts'],
  'node:net': [
    'tools/bench/',
    'gate/round-verdicts.ts',
    'gate/verdicts.ts',
    'settings/accepted.ts',
  ],
  'node:tls': ['contract/http/handshake.ts', 'contract/http/transport.ts', 'pacts/verify/core.ts'],
};

/** The door's own files, and what seals tokens for the state file: they alone see the text of a secret, tests aside. */
export const opensSecrets: readonly string[] = [
  'contract/attacks/jwt-forgeries.ts',
  'contract/secrets/scrub.ts',
  'contract/http/client.ts',
  'pacts/verify/secret-placeholders.ts',
  'contract/http/request-encoding.ts',
  'monitor/canary/seal.ts',
];

/** Settings have one reader; the others pass it on, look for a program, or at what a CI says of itself. */
export const readsEnvironment: readonly string[] = [
  'tools/bench/',
  'gate/github/',
  'gate/judgement.ts',
  'gate/playwright.ts',
  'pacts/broker/start.ts',
  'pacts/consumer.ts',
  'tools/pictures/',
  'playwright.config.ts',
  'settings.ts',
  'tools/setup/',
  'tests/',
];
