import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { needs } from '../programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const name = 'public-api-monitor.service';
const unit = readFileSync(path.join(root, 'monitor/systemd', name), 'utf8');

/** Runs systemd-analyze on a unit as it would be on a machine where the project lies here. */
function analyze(
  text: string,
  ...command: readonly string[]
): { status: number | null; told: string } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'unit-'));
  try {
    const file = path.join(folder, name);
    writeFileSync(file, text.replaceAll('/opt/public-api-contract', root));
    const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, file], {
      encoding: 'utf8',
    });
    return { status, told: stdout + stderr };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('the unit is what systemd accepts, without a complaint', () => {
  needs('systemd-analyze');
  expect(analyze(unit, 'verify')).toEqual({ status: 0, told: '' });
});

test('a unit with a wrong word is not', () => {
  needs('systemd-analyze');
  const wrong = unit.replace('ProtectSystem=strict', 'ProtectSystem=very');
  expect(analyze(wrong, 'verify').told).toContain('protect system');
});

test('the unit is hardened: less than 2 of 10 points of exposure', () => {
  needs('systemd-analyze');
  const exposure = (text: string) =>
    Number(
      /exposure level for \S+: ([\d.]+)/.exec(
        analyze(text, 'security', '--offline=true').told,
      )?.[1],
    );
  expect(exposure(unit)).toBeLessThan(2);
  const open = unit.replace(/^(Protect|Restrict|Private|SystemCall|Capability).*\n/gm, '');
  expect(exposure(open)).toBeGreaterThan(2);
});

test('the unit starts the monitor as npm start does', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const started = /ExecStart=(\S+) ((?:.*\\\n)*.*)/.exec(unit)?.[2]?.replace(/\\\n\s*/g, '');
  expect(`node ${started}`).toBe(scripts.start);
});
