#!/usr/bin/env node
/*
 * The command of the package. It is JavaScript that an old Node can read, so that loading.js can check the version.
 */
import './loading.js';
import { readFileSync } from 'node:fs';

/** The files that each command loads, one after the other. */
const commands = {
  gate: [() => import('../../gate/main.ts')],
  endpoints: [() => import('../../config/openapi/main.ts')],
  probe: [() => import('../../monitor/probe/main.ts')],
  start: [() => import('../../monitor/signals.ts'), () => import('../../monitor/main.ts')],
  'pact-verify': [() => import('../../pacts/verify/main.ts')],
  'pact-states': [() => import('../../pacts/state-server.ts')],
};

const help = `Contract tests and monitoring for a token-authenticated HTTP API

  public-api-contract gate          checks every clause against one provider
  public-api-contract endpoints     writes the endpoints of an OpenAPI document into targets.yaml
  public-api-contract probe         runs the monitor's probes once
  public-api-contract start         starts the monitor
  public-api-contract pact-verify   verifies pacts against the provider
  public-api-contract pact-states   serves the provider states to other verifiers
  public-api-contract --version     prints the version

Each command prints its options with --help. Settings come from the environment, and from .env in the current folder;
reports are written to reports/ there. Without settings the provider is a built-in sandbox.
`;

const [command = ''] = process.argv.splice(2, 1);
if (Object.hasOwn(commands, command)) for (const load of commands[command]) await load();
else if (command === '--help' || command === '-h') process.stdout.write(help);
else if (command === '--version') {
  const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  process.stdout.write(`${JSON.parse(manifest).version}\n`);
} else {
  const what = `unknown command ${JSON.stringify(command)}`;
  process.stderr.write(`${what}: public-api-contract --help lists them\n`);
  process.exitCode = 2;
}
