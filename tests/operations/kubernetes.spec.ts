import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { parse } from 'yaml';
import { settings } from '../../config/table.ts';
import { readTargetsFile } from '../../config/targets.ts';
import { probes } from '../../probes/index.ts';
import { fromRoot } from '../process.ts';

/** The object of a file. That its fields are those of its kind is checked by kubeconform, in check.yml. */
const read = (file: string) => parse(readFileSync(fromRoot(`ops/kubernetes/${file}`), 'utf8'));

const set = read('base/statefulset.yaml');
const service = read('base/service.yaml');
const targets = read('base/targets.yaml');
const policy = read('base/networkpolicy.yaml');

const pod = set.spec?.template;
const [container] = pod.spec.containers;
const [port] = container.ports;

test('none of the manifests is a Secret', () => {
  // A second `kubectl apply` would replace the keys in it by placeholders.
  const { resources } = read('base/kustomization.yaml');
  expect(resources).toEqual([
    ...['targets.yaml', 'statefulset.yaml', 'service.yaml', 'networkpolicy.yaml'],
  ]);
});

test('selectors, ports and names agree', () => {
  const { labels } = pod.metadata;
  for (const selector of [
    set.spec.selector.matchLabels,
    service.spec.selector,
    policy.spec.podSelector.matchLabels,
  ])
    expect(labels).toMatchObject(selector);
  expect(set.spec.serviceName).toBe(service.metadata.name);
  expect(String(port.containerPort)).toBe(
    settings.find(({ name }) => name === 'MONITOR_PORT')?.unset,
  );
  const exposed = { port: port.containerPort, targetPort: port.name };
  expect(service.spec.ports).toMatchObject([exposed]);
  expect(container.livenessProbe.httpGet).toEqual({ path: '/-/healthy', port: port.name });
  expect(container.readinessProbe.httpGet).toEqual({ path: '/-/ready', port: port.name });
  expect(policy.spec.ingress[0].ports).toEqual([{ port: port.name, protocol: 'TCP' }]);
});

test('every variable is a setting, and the targets file is one that the monitor accepts', () => {
  const env: readonly { name: string; value?: string }[] = container.env;
  expect(settings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(env.map(({ name }) => name)),
  );
  const mounts = container.volumeMounts.map((mount: { mountPath: string }) => mount.mountPath);
  const text = targets.data['monitor.yaml'];
  const files = [...env.map(({ value = '' }) => value), ...(text.match(/(?<=File: )\S+/g) ?? [])];
  for (const file of files) expect(mounts).toContain(path.dirname(file));
  const folder = test.info().outputPath('');
  for (const key of ['api-key', 'secret-key']) writeFileSync(path.join(folder, key), '<KEY>');
  const file = path.join(folder, 'monitor.yaml');
  writeFileSync(file, text.replaceAll('/etc/monitor/secrets', folder));
  expect(readTargetsFile(file, { env: {}, probes }).targets).toHaveLength(1);
});

test('the pod keeps the restricted Pod Security Standard, on a read-only file system', () => {
  // https://kubernetes.io/docs/concepts/security/pod-security-standards/#restricted
  const seccompProfile = { type: 'RuntimeDefault' };
  expect(pod.spec.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
  expect(pod.spec.terminationGracePeriodSeconds).toBeGreaterThan(10);
});

test('the components are about the manifests of the base', () => {
  const [patch] = read('shards/kustomization.yaml').patches;
  expect(patch.target).toEqual({ kind: set.kind, name: set.metadata.name });
  expect(patch.patch).toMatch(/value: (\d+) \}(.|\n)*MONITOR_SHARD, value: auto\/\1 \}/);
  const { spec } = read('prometheus-operator/servicemonitor.yaml');
  const [secret] = pod.spec.volumes;
  expect(spec).toMatchObject({
    selector: { matchLabels: service.metadata.labels },
    endpoints: [
      {
        port: service.spec.ports[0].name,
        authorization: { credentials: { name: secret.secret.secretName, key: 'monitor-token' } },
      },
    ],
  });
});
