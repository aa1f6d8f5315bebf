import type { Setting } from '../../settings/setting.ts';
import { settings, table } from '../../settings/table.ts';
import { tableOf } from './markdown.ts';

/** The values that `.env.example` shows for settings whose default is not a value. */
const examples: Partial<Record<keyof typeof table, string>> = {
  baseUrl: 'https://api.example.com',
  apiKey: "'<API_KEY>'",
  apiKeyFile: '/run/secrets/api_key',
  secretKey: "'<SECRET_KEY>'",
  secretKeyFile: '/run/secrets/secret_key',
  endpoints: 'GET /public-api/v1/widgets, POST /public-api/v1/widgets',
  clockUrl: 'https://api.example.com/test/clock',
  clockFile: '/run/provider/clock',
  ca: '/etc/ssl/private-ca.pem',
  requestsPerSecond: '5',
  httpsProxy: 'http://proxy.example.com:3128',
  httpProxy: 'http://proxy.example.com:3128',
  noProxy: 'internal.example.com, 10.1.2.3',
  monitorTlsCert: '/run/secrets/monitor_tls.crt',
  monitorTlsKey: '/run/secrets/monitor_tls.key',
  monitorConfig: 'monitor.yaml',
  contact: 'ops@example.com',
  monitorAuthToken: "'<MONITOR_AUTH_TOKEN>'",
  monitorAuthTokenFile: '/run/secrets/monitor_token',
  brokerUrl: 'https://broker.example.com',
  brokerToken: "'<PACT_BROKER_TOKEN>'",
  brokerTokenFile: '/run/secrets/broker_token',
  brokerUsername: 'pact',
  brokerPassword: "'<PACT_BROKER_PASSWORD>'",
  brokerPasswordFile: '/run/secrets/broker_password',
  pactUrl: 'https://broker.example.com/pacts/provider/public-api/consumer/widget-report/latest',
  statesUrl: 'http://127.0.0.1:8080/_pact/provider-states',
  commit: '1a2b3c4',
  branch: 'main',
};

const head = `\
# Settings. Copy this file to \`.env\` and remove the \`#\` before each setting that you need. Variables of the real
# environment win over the file. An empty setting counts as unset, but an empty credential is an error. Without any
# setting, the sandbox is judged.
#
# How to write a credential, which may be any text:
#   'in single quotes'    keeps every character: blanks, ", #, $, = and other alphabets;
#   \`in backticks\`        if it contains a single quote;
#   in a file             if it contains a single quote and a backtick, or ends with a backslash: name it in …_FILE.
# Outside quotes a value ends at the first #; in double quotes \\n and \\r become line breaks. Nothing expands $NAME.
`;

/** The text of `.env.example`: a paragraph for every setting, with the assignment commented out. */
export const envExample = (): string =>
  [head, ...Object.entries<Setting<unknown>>(table).map(paragraphOf)].join('\n');

function paragraphOf([key, setting]: readonly [string, Setting<unknown>]): string {
  const { name, meaning, unset, accepted } = setting;
  const example = Object.entries(examples).find(([one]) => one === key)?.[1] ?? unset;
  return `# ${meaning}\n# accepted: ${accepted.words}\n#${name}=${example}\n`;
}

/** The tables of settings, one for each group of commands that reads them. */
export const settingTables = (): string =>
  [...Map.groupBy(settings, readerOf)]
    .map(([reader, group]) => `\n## ${reader}\n\n${tableOf(columns, group.map(cellsOf))}\n`)
    .join('');

const columns = ['name', 'meaning', 'default', 'accepted'];

const cellsOf = ({ name, meaning, unset, accepted }: Setting<unknown>): string[] => [
  `\`${name}\``,
  meaning,
  /^[\w./]+$/.test(unset) && unset !== 'none' ? `\`${unset}\`` : unset,
  accepted.words,
];

function readerOf({ name }: Setting<unknown>): string {
  if (name.endsWith('_PROXY')) return 'The network';
  if (name.startsWith('PUBLIC_API_')) return 'The provider';
  return name.startsWith('MONITOR_') ? 'The monitor' : 'The Pact Broker';
}
