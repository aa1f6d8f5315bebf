import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import type { IStatefulSet } from 'kubernetes-models/apps/v1';
import type { INetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1';
import type { IConfigMap, IService } from 'kubernetes-models/v1';
import { settings } from '../../config/table.ts';
import { readTargetsFile } from '../../config/targets.ts';
import { probes } from '../../probes/index.ts';
import { ours } from '../process.ts';
import { complaints, type Manifest, read } from './manifests.ts';

const set = read<IStatefulSet & Manifest>('statefulset.yaml');
const service = read<IService>('service.yaml');
const targets = read<IConfigMap>('targets.yaml');
const policy = read<INetworkPolicy>('networkpolicy.yaml');
const { resources } = read<{ resources: string[] }>('kustomization.yaml');

const pod = set.spec?.template;
const container = pod?.spec?.containers[0];

test('kustomization.yaml lists every manifest, and none is a Secret', () => {
  // A second `kubectl apply` would replace the keys in a Secret by placeholders.
  const files = readdirSync(ours('ops/kubernetes')).filter((name) => name !== 'kustomization.yaml');
  expect(resources.toSorted()).toEqual(files.sort());
  expect(files.map((file) => read<Manifest>(file).kind)).not.toContain('Secret');
});

test('every manifest has the values and the fields of its kind', async () => {
  for (const file of resources)
    expect([file, await complaints(read<Manifest>(file))]).toEqual([file, []]);
});

test('a wrong value, a missing field, an unknown kind and unknown fields are found', async () => {
  const wrong = (change: object) => complaints({ ...set, ...change });
  const spec = (change: object) => wrong({ spec: { ...set.spec, ...change } });
  expect(await spec({ replicas: 'one' })).toEqual([
    expect.stringContaining('data/spec/replicas must be integer'),
  ]);
  expect(await spec({ selector: undefined })).toEqual([
    expect.stringContaining('must have required property selector'),
  ]);
  expect(await wrong({ kind: 'Other' })).toEqual(['apps/v1 has no kind Other']);
  const securityContext = { readOnlyRootFileSystem: true };
  const containers = [{ ...container, securityContext }];
  const template = { ...pod, spec: { ...pod?.spec, containers } };
  expect(await spec({ template, replica: 1 })).toEqual([
    '/spec/template/spec/containers/0/securityContext/readOnlyRootFileSystem is not a field of StatefulSet',
    '/spec/replica is not a field of StatefulSet',
  ]);
});

test('selectors, ports and names agree', () => {
  const labels = pod?.metadata?.labels ?? {};
  for (const selector of [
    set.spec?.selector.matchLabels,
    service.spec?.selector,
    policy.spec?.podSelector?.matchLabels,
  ])
    expect(labels).toMatchObject(selector ?? { none: '' });
  expect(set.spec?.serviceName).toBe(service.metadata?.name);
  const [port] = container?.ports ?? [];
  expect(String(port?.containerPort)).toBe(
    settings.find(({ name }) => name === 'MONITOR_PORT')?.unset,
  );
  const [exposed] = service.spec?.ports ?? [];
  expect([exposed?.targetPort, exposed?.port]).toEqual([port?.name, port?.containerPort]);
  for (const [probe, route] of [
    [container?.livenessProbe, '/-/healthy'],
    [container?.readinessProbe, '/-/ready'],
  ] as const)
    expect(probe?.httpGet).toEqual({ path: route, port: port?.name });
});

test('every variable is a setting, and every named file has a place', () => {
  const known = new Set(settings.map(({ name }) => name));
  const env = container?.env ?? [];
  expect(env.filter(({ name }) => !known.has(name))).toEqual([]);
  const mounts = container?.volumeMounts?.map(({ mountPath }) => mountPath) ?? [];
  const named = env.map(({ value = '' }) => value).filter((value) => value.startsWith('/'));
  const inTargets = [...(targets.data?.['monitor.yaml'] ?? '').matchAll(/\w+File: (\S+)/g)].map(
    ([, file = '']) => file,
  );
  expect(inTargets).toHaveLength(2);
  for (const file of [...named, ...inTargets]) expect(mounts).toContain(path.dirname(file));
});

test('the targets file is one that the monitor accepts', () => {
  const folder = test.info().outputPath('');
  const text = (targets.data?.['monitor.yaml'] ?? '').replaceAll('/etc/monitor/secrets', folder);
  for (const key of ['api-key', 'secret-key'])
    writeFileSync(path.join(folder, key), '<PLACEHOLDER>');
  const file = path.join(folder, 'monitor.yaml');
  writeFileSync(file, text);
  const { targets: found } = readTargetsFile(file, { env: {}, probes });
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
  expect(new Set(kinds)).toEqual(new Set(['secret', 'configMap']));
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
  expect(out).toEqual([53, 53, 443]);
});
