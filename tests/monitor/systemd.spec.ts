import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { settings } from '../../config/table.ts';
import { needs } from '../programs.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const folder = path.join(root, 'ops/systemd');

/** All units by name, since a timer needs its service. */
const units: ReadonlyMap<string, string> = new Map(
  readdirSync(folder).map((name) => [name, readFileSync(path.join(folder, name), 'utf8')]),
);
const services = [...units.keys()].filter((name) => name.endsWith('.service'));

const readUnit = (name: string): string => units.get(name) ?? '';

/** Runs systemd-analyze on a unit as if this checkout were the installation. */
function analyze(name: string, ...command: readonly string[]) {
  const installed = mkdtempSync(path.join(os.tmpdir(), 'unit-'));
  try {
    for (const [other, itself] of units)
      writeFileSync(
        path.join(installed, other),
        itself.replaceAll('/opt/public-api-contract', root),
      );
    const args = [...command, path.join(installed, name)];
    const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' });
    return { status, message: stdout + stderr };
  } finally {
    rmSync(installed, { recursive: true });
  }
}

for (const name of units.keys())
  test(`systemd accepts ${name} without a warning`, () => {
    needs('systemd-analyze');
    expect(analyze(name, 'verify')).toEqual({ status: 0, message: '' });
  });

for (const name of services)
  test(`${name} is hardened: less than 2 of 10 points of exposure`, () => {
    needs('systemd-analyze');
    const { message } = analyze(name, 'security', '--offline=true');
    const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(message) ?? [];
    expect(Number(exposure)).toBeLessThan(2);
  });

/** The command of a service, in one line. */
const started = (name: string): string =>
  `node ${/ExecStart=(\S+) ((?:.*\\\n)*.*)/.exec(readUnit(name))?.[2]?.replace(/\\\n\s*/g, '')}`;

const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

test('the unit starts the monitor as npm start does', () => {
  expect(started('public-api-monitor.service')).toBe(scripts.start);
});

test("the timer's unit probes every five minutes as npm run probe does, into its own folder", () => {
  expect(started('public-api-probe.service')).toBe(
    `${scripts.probe} --metrics %S/public-api-probe/public-api.prom`,
  );
  expect(readUnit('public-api-probe.timer')).toContain('\nOnCalendar=*:0/5\n');
  expect(readUnit('public-api-probe.service')).toContain('\nStateDirectory=public-api-probe\n');
});

test('every variable that the services set is a setting', () => {
  const known = settings.map(({ name }) => name);
  const set = services.flatMap((name) => readUnit(name).match(/(?<=^Environment=)\w+/gm) ?? []);
  expect(set).toHaveLength(4);
  expect(known).toEqual(expect.arrayContaining(set));
});
