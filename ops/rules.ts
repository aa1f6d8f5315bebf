import { globSync, readFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { readCommandLine, WrongArguments, wrongly } from '../settings/command-line.ts';

const command = 'npm run rules';

const help = `Prints the rules of ops/rules as one file for Prometheus.

  ${command}                                 as they are: severities page, ticket and none
  ${command} -- --severity critical,warning  calls page and ticket as the routes of your Alertmanager do
  ${command} -- --runbook URL                links to your copy: https://wiki.example.com/runbook
  ${command} -- --kubernetes                 as a PrometheusRule of the Prometheus operator
`;

interface Rule {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

interface Group {
  readonly rules: readonly Rule[];
}

/** The changes to the rules: new names for severities, and another address for runbooks. */
interface Wanted {
  readonly severities: Readonly<Record<string, string>>;
  readonly runbook: string | undefined;
  /** Whether the output is a Kubernetes object (PrometheusRule). */
  readonly kubernetes: boolean;
}

/** @throws WrongArguments */
function wantedBy(args: readonly string[]): Wanted | 'help' {
  const { values } = readCommandLine(command, {
    args: [...args],
    options: {
      severity: { type: 'string' },
      runbook: { type: 'string' },
      kubernetes: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  if (values.help) return 'help';
  const { severity = 'page,ticket', runbook, kubernetes = false } = values;
  const [, page = '', ticket = ''] = /^([\w-]+),([\w-]+)$/.exec(severity) ?? [];
  if (page === '') throw wrongly(command, '--severity is not two words, such as critical,warning');
  if (runbook !== undefined && !/^https?:\/\/[^\s#]+$/.test(runbook))
    throw wrongly(command, '--runbook is not an http or https address without a fragment');
  return { severities: { page, ticket }, runbook, kubernetes };
}

function changed(rule: Rule, { severities, runbook }: Wanted): Rule {
  const { severity } = rule.labels ?? {};
  const { runbook_url: link } = rule.annotations ?? {};
  if (severity === undefined || link === undefined) return rule;
  return {
    ...rule,
    labels: { ...rule.labels, severity: severities[severity] ?? severity },
    annotations: {
      ...rule.annotations,
      runbook_url: runbook === undefined ? link : link.replace(/^[^#]*/, () => runbook),
    },
  };
}

function rulesAs(wanted: Wanted): string {
  const files = globSync('rules/*.yml', { cwd: import.meta.dirname }).sort();
  const groups = files
    .flatMap((file): readonly Group[] => {
      const text = readFileSync(new URL(file, import.meta.url), 'utf8');
      return parse(text).groups;
    })
    .map((group) => ({ ...group, rules: group.rules.map((rule) => changed(rule, wanted)) }));
  const content = wanted.kubernetes ? prometheusRule({ groups }) : { groups };
  return stringify(content, { lineWidth: 0, aliasDuplicateObjects: false });
}

/** https://prometheus-operator.dev/docs/api-reference/api/#monitoring.coreos.com/v1.PrometheusRule */
const prometheusRule = (spec: { readonly groups: readonly Group[] }): object => ({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'PrometheusRule',
  metadata: {
    name: 'public-api-contract',
    labels: { 'app.kubernetes.io/name': 'public-api-monitor' },
  },
  spec,
});

try {
  const wanted = wantedBy(process.argv.slice(2));
  process.stdout.write(wanted === 'help' ? help : rulesAs(wanted));
} catch (error) {
  if (!(error instanceof WrongArguments)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}
