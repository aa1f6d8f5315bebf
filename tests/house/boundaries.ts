/** The layers of contract/. A file may import those of its layer and of the layers before it. */
const contractLayers = [
  'json-value.ts remembering.ts durations.ts words.ts clauses.ts finding.ts',
  'secrets/ token-form.ts',
  'http/ schema.ts token-claims.ts admission.ts',
  'time/ judge/ probe.ts',
  'attempts/ command.ts known.ts',
  'round/',
  'report/',
].map((layer) => words(layer).map((name) => `contract/${name}`));

/** The parts of the monitor. Each may import itself and those before it. */
const layers = words(
  'signals.ts loop/ round/ canary/ status/ log.ts store/ metrics/ alertmanager.ts web/ targets.ts check.ts',
).map((name) => `monitor/${name}`);

/** What some of them import besides, outside the monitor. */
const besides: Readonly<Record<string, string>> = {
  'monitor/round/': 'config/endpoints.ts',
  'monitor/targets.ts': 'config/ sandbox/provider.ts',
  'monitor/check.ts': 'config/ probes/index.ts',
};

/**
 * Which files may import which. The first row that matches a file counts; a folder, with its slash, means all files
 * in it. Data flows one way, judge and sandbox share no code, and only code that needs a sandbox imports it.
 */
export const mayImport: readonly (readonly [who: string, ...whom: string[]])[] = [
  ...contractLayers.flatMap((layer, index) =>
    layer.map((who): [string, ...string[]] => [
      who,
      ...contractLayers.slice(0, index + 1).flat(),
      'schemas/',
    ]),
  ),
  ...rows({
    'probes/index.ts': 'contract/clauses.ts contract/probe.ts probes/',
    'probes/': 'contract/',
    'sandbox/': 'sandbox/',
    'monitor/main.ts': 'contract/ monitor/ probes/index.ts config/',
    'monitor/watch.ts': 'contract/ monitor/',
    'monitor/watched.ts': 'contract/ monitor/',
    'monitor/probe/': `contract/ monitor/targets.ts monitor/metrics/ monitor/probe/ monitor/round/ monitor/status/
      probes/index.ts config/`,
  }),
  ...layers.map((who, index): [string, ...string[]] => [
    who,
    'contract/',
    ...layers.slice(0, index + 1),
    ...words(besides[who] ?? ''),
  ]),
  ...rows({
    'gate/under-test.ts': 'contract/ sandbox/provider.ts config/ probes/index.ts',
    'gate/': `contract/ gate/ probes/index.ts sandbox/provider.ts config/`,
    'config/': 'contract/ config/',
    'pacts/broker/':
      'contract/ pacts/broker/ pacts/exact.ts pacts/pact.ts pacts/verification.ts config/',
    'pacts/example/': 'pacts/example/',
    'pacts/verify/': 'contract/ pacts/ gate/under-test.ts config/',
    'pacts/state-server.ts': `contract/ pacts/ gate/under-test.ts config/`,
    'pacts/': 'contract/ pacts/',
    'tools/setup/': 'contract/command.ts config/command-line.ts tools/setup/',
    'tools/broker/': 'contract/ config/command-line.ts tools/broker/ tools/setup/',
    'tools/bench/': 'tools/bench/ contract/command.ts config/command-line.ts sandbox/ tests/',
    'tools/docs/': `contract/clauses.ts contract/secrets/scrub.ts monitor/ pacts/states.ts probes/index.ts config/
      contract/command.ts tools/docs/`,
    'tools/pictures/': `contract/ config/command-line.ts monitor/web/page.ts probes/index.ts gate/under-test.ts sandbox/
      tests/monitor/ tests/judge/judge-provider.ts tools/pictures/`,
    'playwright.config.ts': '',
  }),
  // Tests may import everything.
  ['tests/', ''],
];

function rows(table: Readonly<Record<string, string>>): [who: string, ...whom: string[]][] {
  return Object.entries(table).map(([who, whom]) => [who, ...words(whom)]);
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}

/**
 * The files or folders that may import a package, except tests; of Node's modules, those that open sockets.
 * `node:tls` gives Pact's core certificates.
 */
export const importedBy: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    '@apidevtools/json-schema-ref-parser': 'config/openapi/document.ts',
    '@hono/node-server': 'monitor/web/server.ts',
    '@scalar/openapi-upgrader': 'config/openapi/document.ts',
    '@pact-foundation/pact': 'pacts/example/ pacts/verify/child.ts pacts/verify/main.ts',
    '@playwright/test': 'gate/ pacts/consumer.ts playwright.config.ts tools/pictures/',
    ajv: 'contract/schema.ts schemas/validators.d.ts tools/docs/generated.ts',
    '@valibot/to-json-schema': 'tools/docs/generated.ts',
    dotenv: 'config/settings.ts',
    hono: 'contract/report/html.ts monitor/web/',
    'openapi-sampler': 'config/openapi/endpoint.ts',
    'p-limit': 'contract/http/pace.ts monitor/probe/main.ts',
    pino: 'monitor/log.ts',
    'prom-client': 'monitor/metrics/',
    valibot: 'config/',
    yaml: 'config/yaml-file.ts',
    'node:http': `contract/http/connections.ts pacts/example/provider/ pacts/verify/local-server.ts
      sandbox/provider.ts`,
    'node:https': 'contract/http/connections.ts monitor/web/server.ts',
    'node:net': 'contract/http/exchange.ts config/accepted.ts',
    'node:tls': `contract/http/connections.ts contract/http/exchange.ts monitor/round/certificates.ts
      pacts/verify/core.ts`,
  }).map(([name, places]) => [name, words(places)]),
);

/** The only files, besides tests, that may read the text of a secret. */
export const opensSecrets = words(`
  contract/attempts/jwt-forgeries.ts contract/http/client.ts contract/http/connections.ts
  contract/http/http-request.ts contract/secrets/scrub.ts monitor/canary/seal.ts
  monitor/web/server.ts pacts/verify/state-setup.ts`);
