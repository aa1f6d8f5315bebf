import { globSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { fromRoot } from '../process.ts';

/** A rule as Prometheus reads it: an alert, or a series that is recorded. */
interface Rule {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export const rulesFile = fromRoot('ops/rules/contract-monitor.yml');
export const caseFiles = globSync('tests/rules/*.test.yml', { cwd: fromRoot('') }).map(fromRoot);

const { groups }: { groups: { rules: Rule[] }[] } = parse(readFileSync(rulesFile, 'utf8'));
export const rules: readonly Rule[] = groups.flatMap((group) => group.rules);
export const alerts = rules.flatMap((rule) =>
  rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }],
);

/** A test case of promtool: at that time these alerts fire, or none does. */
interface Case {
  readonly alertname: string;
  readonly exp_alerts?: readonly unknown[];
}

export const cases = caseFiles.flatMap((file) => {
  const { tests }: { tests: { alert_rule_test?: Case[] }[] } = parse(readFileSync(file, 'utf8'));
  return tests.flatMap((test) => test.alert_rule_test ?? []);
});

/** The alerts that a violation of a clause raises. */
export const raisedBy = (clause: string): string[] =>
  alerts
    .filter(({ expr }) => {
      const [, operator, pattern = ''] =
        /target_clause:contract_broken:lately\{clause(=~?|!~)"(.*)"\}/.exec(expr) ?? [];
      const isNamed = new RegExp(`^(?:${pattern})$`).test(clause);
      return operator !== undefined && isNamed === (operator !== '!~');
    })
    .map(({ alert }) => alert);
