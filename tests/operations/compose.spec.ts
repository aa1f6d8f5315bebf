import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { settings } from '../../config/table.ts';
import { readTargetsFile } from '../../config/targets.ts';
import { probes } from '../../probes/index.ts';
import { fromRoot } from '../process.ts';
import { needs, programPath } from '../programs.ts';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: object;
}

const read = (file: string): string => readFileSync(fromRoot(`ops/${file}`), 'utf8');
const text = read('compose.yaml');
const compose: {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: object;
} = parse(text, { merge: true });
const services = Object.entries(compose.services);

/** A mounted file of a service, with paths and secrets on this machine in place of the container's. */
function mounted(service: string, target: string): string {
  const folder = test.info().outputPath('');
  for (const name of Object.keys(compose.secrets)) writeFileSync(path.join(folder, name), '<KEY>');
  const mounts = (compose.services[service]?.volumes ?? [])
    .filter((volume) => volume.startsWith('./'))
    .map((volume) => volume.split(':'))
    .map(([source = '', at = '']) => [at, fromRoot(`ops/${source.slice(2)}`)] as const);
  const content = mounts.reduce(
    (all, [at, source]) => all.replaceAll(at, source),
    readFileSync(new Map(mounts).get(target) ?? '', 'utf8'),
  );
  const file = path.join(folder, path.basename(target));
  writeFileSync(file, content.replaceAll('/run/secrets', folder));
  return file;
}

test('each container has a fixed version, few rights, a health check, and ports on this machine only', () => {
  for (const [name, { build, image, healthcheck, ...service }] of services) {
    const rights = { read_only: true, cap_drop: ['ALL'], restart: 'unless-stopped' };
    const ports = [expect.stringMatching(/^127\.0\.0\.1:(\d+):\1$/)];
    expect(service, name).toMatchObject({ ...rights, ports });
    if (build === undefined) {
      expect(image).toMatch(/:v?\d+\.\d+\.\d+@sha256:[0-9a-f]{64}$/);
      expect(healthcheck).toMatchObject({ test: expect.arrayContaining(['CMD']) });
    } else expect(readFileSync(fromRoot('Dockerfile'), 'utf8')).toMatch(/^HEALTHCHECK /m);
  }
});

test('the settings of the monitor exist, its targets file is accepted, and no secret is in the repository', () => {
  expect(readFileSync(fromRoot('.gitignore'), 'utf8')).toMatch(/^\/ops\/secrets\/$/m);
  for (const name of Object.keys(compose.secrets))
    expect(text).toMatch(new RegExp(`> ${name}( |$)`, 'm'));
  const { environment = {} } = compose.services.monitor ?? {};
  const known = settings.map(({ name }) => name);
  expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
  const file = mounted('monitor', environment.PUBLIC_API_TARGETS ?? '');
  expect(readTargetsFile(file, { env: {}, probes }).targets).toHaveLength(1);
});

test('the Prometheus of the file has the configuration of the example, with the names of the services and the token', () => {
  const body = (file: string) => read(file).split('\nglobal:')[1];
  const expected = body('prometheus/prometheus.example.yml')
    ?.replaceAll('127.0.0.1:9797', 'monitor:9797')
    .replaceAll('127.0.0.1:9093', 'alertmanager:9093')
    .replaceAll('# authorization:', 'authorization:')
    .replaceAll('credentials_file: monitor-token', 'credentials_file: /run/secrets/monitor_token')
    .replaceAll('../rules/*.yml', '/etc/prometheus/rules/*.yml');
  expect(body('compose/prometheus.yml')).toBe(expected);
  expect(read('compose/datasources.yml')).toContain('http://prometheus:9090');
});

test.describe('by the programs themselves', () => {
  needs('promtool', 'amtool');

  test('promtool and amtool accept the mounted configurations', () => {
    const run = (name: 'promtool' | 'amtool', ...args: readonly string[]) =>
      spawnSync(programPath(name), args, { encoding: 'utf8' });
    const prometheus = mounted('prometheus', '/etc/prometheus/prometheus.yml');
    const checked = run('promtool', 'check', 'config', prometheus);
    const stdout = expect.stringContaining('1 rule files found');
    expect(checked).toMatchObject({ status: 0, stdout });
    const alertmanager = mounted('alertmanager', '/etc/alertmanager/alertmanager.yml');
    expect(run('amtool', 'check-config', alertmanager)).toMatchObject({ status: 0 });
  });
});
