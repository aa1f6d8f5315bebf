import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import type { IScrapeConfig } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1alpha1';
import { expect, test } from '@playwright/test';
import type { IDeployment } from 'kubernetes-models/apps/v1';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import type { IConfigMap, ISecret, IService } from 'kubernetes-models/v1';
import { readConfig } from '../../monitor/config/read.ts';
import { probes } from '../../probes/index.ts';
import { table } from '../../settings/table.ts';
import { ours } from '../process.ts';
import { files, invalidBySchema, read, textOf, unknownFields } from './manifests.ts';

const deployment = read<IDeployment>('deployment.yaml');
const service = read<IService>('service.yaml');
const secret = read<ISecret>('secret.yaml');
const targets = read<IConfigMap>('targets.yaml');
const policy = read<INetworkPolicy>('networkpolicy.yaml');
const budget = read<IPodDisruptionBudget>('poddisruptionbudget.yaml');
const serviceMonitor = read<IServiceMonitor>('servicemonitor.yaml');
const scrapeConfig = read<IScrapeConfig>('scrapeconfig.yaml');
const kustomization = read<{ resources: string[]; namespace: string }>('kustomization.yaml');

const pod = deployment.spec?.template;
const container = pod?.spec?.containers[0];
const env = new Map(container?.env?.map((one) => [one.name, one]));

function scratch(): string {
  const folder = test.info().outputPath('manifests');
  mkdirSync(folder, { recursive: true });
  return folder;
}

test('kustomization.yaml lists every manifest', () => {
  expect([...kustomization.resources].sort()).toEqual(files);
});

test('every manifest has the values and the fields of its kind', async () => {
  for (const file of files)
    expect([file, invalidBySchema(textOf(file))]).toEqual([file, undefined]);
  const texts = new Map(files.map((file) => [file, textOf(file)]));
  expect(await unknownFields(texts, scratch())).toEqual([]);
});

test('a wrong value, a missing field and an unknown field are found', async () => {
  const text = textOf('deployment.yaml');
  for (const [from, to, found] of [
    ['replicas: 3', 'replicas: three', 'data/spec/replicas must be integer'],
    ['kind: Deployment', 'kind: Other', 'Other is a kind without a schema'],
    ['  selector:\n', '  selectors:\n', 'must have required property selector'],
  ] as const)
    expect(invalidBySchema(text.replace(from, to))).toContain(found);
  const misspelt = new Map([
    ['deployment.yaml', text.replace('readOnlyRootFilesystem', 'readOnlyRootFileSystem')],
    ['servicemonitor.yaml', textOf('servicemonitor.yaml').replace('interval:', 'intervall:')],
  ]);
  const lines = (await unknownFields(misspelt, scratch())).join('\n');
  for (const field of ['readOnlyRootFileSystem', 'intervall'])
    expect(lines).toMatch(new RegExp(`'"${field}"' does not exist in type`));
});

test('prometheusrule.yaml has the rules of ops/rules', () => {
  const args = [ours('ops/rules.ts'), '--kubernetes'];
  const printed = execFileSync(process.execPath, args, { encoding: 'utf8' });
  const written = 'run npm run --silent rules -- --kubernetes > ops/kubernetes/prometheusrule.yaml';
  expect(textOf('prometheusrule.yaml'), written).toBe(printed);
});

test('selectors, ports and names agree', () => {
  const labels = pod?.metadata?.labels ?? {};
  for (const selector of [
    deployment.spec?.selector.matchLabels,
    service.spec?.selector,
    policy.spec?.podSelector?.matchLabels,
    budget.spec?.selector?.matchLabels,
    pod?.spec?.topologySpreadConstraints?.[0]?.labelSelector?.matchLabels,
  ])
    expect(labels).toMatchObject(selector ?? { none: '' });
  expect(service.metadata?.labels).toMatchObject(
    serviceMonitor.spec.selector.matchLabels ?? { none: '' },
  );
  const [port] = container?.ports ?? [];
  expect(String(port?.containerPort)).toBe(table.monitorPort.unset);
  const [exposed] = service.spec?.ports ?? [];
  expect([exposed?.targetPort, exposed?.port]).toEqual([port?.name, port?.containerPort]);
  const [endpoint] = serviceMonitor.spec.endpoints;
  expect([endpoint?.port, endpoint?.path]).toEqual([exposed?.name, '/metrics']);
  const { name } = service.metadata ?? {};
  expect(scrapeConfig.spec.httpSDConfigs?.map(({ url }) => url)).toEqual([
    `http://${name}.${kustomization.namespace}.svc:${exposed?.port}/sd`,
  ]);
  expect(env.get('MONITOR_ADVERTISE')?.value).toBe(`$(POD_IP):${port?.containerPort}`);
  expect(env.get('POD_IP')?.valueFrom?.fieldRef?.fieldPath).toBe('status.podIP');
  expect([...env.keys()].indexOf('POD_IP')).toBeLessThan(
    [...env.keys()].indexOf('MONITOR_ADVERTISE'),
  );
  for (const [probe, route] of [
    [container?.livenessProbe, '/-/healthy'],
    [container?.readinessProbe, '/-/ready'],
  ] as const)
    expect(probe?.httpGet).toEqual({ path: route, port: port?.name });
});

test('every variable is a setting, and every named file and key exists', () => {
  const known = new Set(Object.values(table).map(({ name }) => name));
  const unknown = [...env.keys()].filter((name) => name !== 'POD_IP' && !known.has(name));
  expect(unknown).toEqual([]);
  const mounts = new Map(container?.volumeMounts?.map(({ name, mountPath }) => [name, mountPath]));
  const held = new Set(
    pod?.spec?.volumes?.flatMap(({ name, secret: source, configMap }) => {
      const keys =
        source?.secretName === secret.metadata?.name
          ? Object.keys(secret.stringData ?? {})
          : configMap?.name === targets.metadata?.name
            ? Object.keys(targets.data ?? {})
            : [];
      return keys.map((key) => `${mounts.get(name)}/${key}`);
    }),
  );
  const named = [...env.values()]
    .map(({ value = '' }) => value)
    .filter((value) => value.startsWith('/'));
  const inTargets = [...(targets.data?.['monitor.yaml'] ?? '').matchAll(/\w+File: (\S+)/g)].map(
    ([, file = '']) => file,
  );
  expect(inTargets).toHaveLength(2);
  for (const file of [...named, ...inTargets]) expect([file, held.has(file)]).toEqual([file, true]);
  const [endpoint] = serviceMonitor.spec.endpoints;
  for (const authorization of [
    endpoint?.authorization,
    scrapeConfig.spec.authorization,
    scrapeConfig.spec.httpSDConfigs?.[0]?.authorization,
  ]) {
    const { name, key = '' } = authorization?.credentials ?? {};
    expect([name, secret.stringData?.[key]]).toEqual([
      secret.metadata?.name,
      '<MONITOR_AUTH_TOKEN>',
    ]);
  }
  for (const value of Object.values(secret.stringData ?? {})) expect(value).toMatch(/<[A-Z_]+>/);
});

test('the targets file is one that the monitor accepts', () => {
  const folder = scratch();
  const text = (targets.data?.['monitor.yaml'] ?? '').replaceAll('/etc/monitor/secrets', folder);
  for (const key of ['api-key', 'secret-key'])
    writeFileSync(path.join(folder, key), '<PLACEHOLDER>');
  const file = path.join(folder, 'monitor.yaml');
  writeFileSync(file, text);
  const { targets: found } = readConfig(file, { env: {}, probes });
  expect(found.map(({ name }) => name)).toEqual(['production']);
});

test('the pod keeps the restricted Pod Security Standard, on a read-only file system', () => {
  // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
  expect(pod?.spec?.securityContext).toMatchObject({
    runAsNonRoot: true,
    seccompProfile: { type: 'RuntimeDefault' },
  });
  expect(container?.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  const kinds = pod?.spec?.volumes?.flatMap(({ name: _, ...volume }) => Object.keys(volume));
  expect(new Set(kinds)).toEqual(new Set(['secret', 'configMap', 'emptyDir']));
  expect(pod?.spec?.terminationGracePeriodSeconds).toBeGreaterThan(10);
});

test('the network policy lets Prometheus reach what it scrapes', () => {
  const [rule] = policy.spec?.ingress ?? [];
  const [port] = container?.ports ?? [];
  expect(rule?.ports).toEqual([{ port: port?.name, protocol: 'TCP' }]);
  expect(rule?.from).toEqual([
    { podSelector: { matchLabels: { 'app.kubernetes.io/name': 'prometheus' } } },
  ]);
  const out = policy.spec?.egress?.flatMap(({ ports }) => ports?.map((one) => one.port));
  expect(out).toEqual([53, 53, 443, 5432]);
});
