import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { ours } from '../process.ts';
import { needs, programPath } from '../programs.ts';
import { alerts, type RuleText, rules } from './rules.ts';

/** The output of `npm run rules` with these options. */
function printed(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [ours('ops/rules.ts'), ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const rulesIn = (text: string): RuleText[] =>
  (parse(text).groups as { rules: RuleText[] }[]).flatMap((group) => group.rules);

test('the rules are printed unchanged by default', () => {
  const { status, stdout, stderr } = printed();
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(rulesIn(stdout)).toEqual(rules);
});

test('severities and runbook are printed as an Alertmanager elsewhere expects them', () => {
  const runbook = 'https://monitor.example.com/runbook';
  const { stdout } = printed('--severity', 'critical,warning', '--runbook', runbook);
  const severities = rulesIn(stdout).flatMap(({ labels }) => labels?.severity ?? []);
  expect([...new Set(severities)].sort()).toEqual(['critical', 'none', 'warning']);
  expect(severities).toHaveLength(alerts.length);
  expect(stdout).toContain(`runbook_url: ${runbook}#contractmonitorproviderunreachable`);
  expect(stdout).not.toContain('ops/runbook.md');
});

for (const args of [['--severity', 'critical'], ['--runbook', 'runbook.md'], ['--what']])
  test(`${args.join(' ')} is refused in one line`, () => {
    const { status, stdout, stderr } = printed(...args);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(/^[^\n]*: npm run rules -- --help lists the options\n$/);
  });

test('npm prints nothing else, as the documented command has it', () => {
  const { stdout } = spawnSync('npm', ['run', '--silent', 'rules'], {
    cwd: ours('.'),
    encoding: 'utf8',
  });
  expect(rulesIn(stdout)).toEqual(rules);
});

test('--help lists the options', () => {
  expect(printed('--help')).toMatchObject({ status: 0, stderr: '' });
  expect(printed('--help').stdout).toContain('--severity critical,warning');
});

test.describe('by promtool', () => {
  needs('promtool');

  test('promtool accepts the printed rules', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'rules-'));
    const file = path.join(folder, 'rules.yml');
    writeFileSync(file, printed('--severity', 'critical,warning').stdout);
    const checked = spawnSync(programPath('promtool'), ['check', 'rules', file], {
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(checked.status, checked.stdout + checked.stderr).toBe(0);
  });
});
