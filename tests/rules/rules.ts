import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** A rule as Prometheus reads it: an alert, or a series that is recorded. */
export interface RuleText {
  readonly alert?: string;
  readonly record?: string;
  readonly expr: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

export type Alert = RuleText & { readonly alert: string };

/** A test case of promtool: at that time these alerts fire, or none does. */
export interface Case {
  readonly alertname: string;
  readonly exp_alerts?: readonly unknown[];
}

interface RulesFile {
  readonly groups: readonly { readonly rules: readonly RuleText[] }[];
}

interface CasesFile {
  readonly tests: readonly { readonly alert_rule_test?: readonly Case[] }[];
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files from the root of this project. */
const filesOf = (pattern: string): readonly string[] => globSync(pattern, { cwd: root }).sort();

export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8');

export const ruleFiles = filesOf('ops/rules/*.yml');
export const caseFiles = filesOf('tests/rules/*.test.yml');

export const rules: readonly RuleText[] = ruleFiles.flatMap((file) => {
  const { groups }: RulesFile = parse(textOf(file));
  return groups.flatMap((group) => group.rules);
});

export const alerts: readonly Alert[] = rules.flatMap((rule) =>
  rule.alert === undefined ? [] : [{ ...rule, alert: rule.alert }],
);

export const cases: readonly Case[] = caseFiles.flatMap((file) => {
  const { tests }: CasesFile = parse(textOf(file));
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
