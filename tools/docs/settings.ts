import { settings } from '../../config/table.ts';
import { tableOf } from './markdown.ts';

/** The values that `.env.example` shows for settings whose default is not a value. */
const examples: Readonly<Record<string, string>> = {
  PUBLIC_API_BASE_URL: 'https://api.example.com',
  PUBLIC_API_KEY: "'<API_KEY>'",
  PUBLIC_API_KEY_FILE: '/run/secrets/api_key',
  PUBLIC_API_SECRET_KEY: "'<SECRET_KEY>'",
  PUBLIC_API_SECRET_KEY_FILE: '/run/secrets/secret_key',
  PUBLIC_API_ENDPOINTS: 'GET /public-api/v1/widgets, POST /public-api/v1/widgets',
  PUBLIC_API_CLOCK_URL: 'https://api.example.com/test/clock',
  PUBLIC_API_CLOCK_FILE: '/run/provider/clock',
  PUBLIC_API_CA_FILE: '/etc/ssl/private-ca.pem',
  PUBLIC_API_RATE: '5',
  HTTPS_PROXY: 'http://proxy.example.com:3128',
  HTTP_PROXY: 'http://proxy.example.com:3128',
  NO_PROXY: 'internal.example.com, 10.1.2.3',
  MONITOR_TLS_CERT: '/run/secrets/monitor_tls.crt',
  MONITOR_TLS_KEY: '/run/secrets/monitor_tls.key',
  MONITOR_CONFIG: 'monitor.yaml',
  PUBLIC_API_CONTACT: 'ops@example.com',
  MONITOR_AUTH_TOKEN: "'<MONITOR_AUTH_TOKEN>'",
  MONITOR_AUTH_TOKEN_FILE: '/run/secrets/monitor_token',
  PACT_BROKER_BASE_URL: 'https://broker.example.com',
  PACT_BROKER_TOKEN: "'<PACT_BROKER_TOKEN>'",
  PACT_BROKER_TOKEN_FILE: '/run/secrets/broker_token',
  PACT_BROKER_USERNAME: 'pact',
  PACT_BROKER_PASSWORD: "'<PACT_BROKER_PASSWORD>'",
  PACT_BROKER_PASSWORD_FILE: '/run/secrets/broker_password',
  PACT_URL: 'https://broker.example.com/pacts/provider/public-api/consumer/widget-report/latest',
  PACT_STATES_URL: 'http://127.0.0.1:8080/_pact/provider-states',
  GIT_COMMIT: '1a2b3c4',
  GIT_BRANCH: 'main',
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
  [
    head,
    ...settings.map(({ name, meaning, unset, words }) => {
      const example = examples[name] ?? unset;
      return `# ${meaning}\n# accepted: ${words}\n#${name}=${example}\n`;
    }),
  ].join('\n');

/** The tables of settings, one for each group of commands that reads them. */
export const settingTables = (): string =>
  [...Map.groupBy(settings, readerOf)]
    .map(([reader, group]) => `\n## ${reader}\n\n${tableOf(columns, group.map(cellsOf))}\n`)
    .join('');

const columns = ['name', 'meaning', 'default', 'accepted'];

const cellsOf = ({ name, meaning, unset, words }: (typeof settings)[number]): string[] => [
  `\`${name}\``,
  meaning,
  /^[\w./]+$/.test(unset) && unset !== 'none' ? `\`${unset}\`` : unset,
  words,
];

function readerOf({ name }: { readonly name: string }): string {
  if (name.endsWith('_PROXY')) return 'The network';
  if (name.startsWith('PUBLIC_API_')) return 'The provider';
  return name.startsWith('MONITOR_') ? 'The monitor' : 'The Pact Broker';
}
