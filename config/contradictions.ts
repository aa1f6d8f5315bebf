import { type Endpoint, endpointName, tokenEndpointName } from '../contract/http/request.ts';
import { isIntrusive, type Probe } from '../contract/probe.ts';
import { payloadProbeName } from './defaults.ts';
import { holdsKey } from './endpoints.ts';
import { hint } from './nearest.ts';
import type { TargetsFile } from './targets-file.ts';
import type { Mistake } from './yaml-file.ts';

type Path = Mistake['path'];

const mistake = (message: string, ...path: Path): Mistake => ({ message, path });

/** What is wrong in a targets file whose fields are right by themselves. */
export function* contradictions(
  { defaults, targets }: TargetsFile,
  probes: readonly Probe[],
): Generator<Mistake> {
  yield* inProbes(defaults.monitor, probes, 'defaults');
  const everywhere = [defaults, ...targets].flatMap(({ endpoints = [] }) => endpoints);
  yield* inKnown(defaults, everywhere, probes, 'defaults');
  for (const [index, target] of targets.entries()) {
    const at = ['targets', index];
    const all = { ...defaults, ...target };
    const before = targets.findIndex(({ name }) => name === target.name);
    if (before < index) yield mistake(`is that of targets[${before}] too`, ...at, 'name');
    if (all.endpoints === undefined)
      yield mistake('is missing, in the defaults too', ...at, 'endpoints');
    yield* inEndpoints(all, ...(target.endpoints === undefined ? ['defaults'] : at));
    yield* inProbes(target.monitor, probes, ...at);
    yield* inKnown(target, all.endpoints ?? [], probes, ...at);
  }
}

const notAProbe = (name: string, names: readonly string[]): string =>
  `is not a probe${hint(name, names)} (npm run gate -- --list shows all)`;

type Fields = TargetsFile['targets'][number];

function* inEndpoints(
  { endpoints = [], writes, credentials }: Fields,
  ...at: Path
): Generator<Mistake> {
  const names = endpoints.map(endpointName);
  for (const [place, endpoint] of endpoints.entries()) {
    const path = [...at, 'endpoints', place];
    const { method, body, unfit } = endpoint;
    const hasBody = /^(POST|PUT|PATCH)$/.test(method);
    const why = 'which may change something: set writes: true where it may';
    if (names.indexOf(endpointName(endpoint)) < place)
      yield mistake('is the same as one above it', ...path);
    if (!writes && (hasBody || method === 'DELETE'))
      yield mistake(`is a ${method}, ${why}`, ...path);
    if (holdsKey(endpoint, credentials))
      yield mistake('holds a key of the account, and would be shown: omit it', ...path);
    if (body !== undefined && !hasBody)
      yield mistake('goes with POST, PUT and PATCH only', ...path, 'body');
    if (unfit !== undefined && method === 'HEAD')
      yield mistake('checks a body, and the answer to HEAD has none', ...path, 'schema');
  }
}

function* inKnown(
  { known = [] }: Pick<Fields, 'known'>,
  endpoints: readonly Endpoint[],
  probes: readonly Probe[],
  ...at: Path
): Generator<Mistake> {
  const places = [tokenEndpointName, ...endpoints.map(endpointName)];
  const names = probes.map(({ name }) => name);
  for (const [index, { endpoint, probe }] of known.entries()) {
    const path = [...at, 'known', index];
    if (endpoint !== undefined && !places.includes(endpoint))
      yield mistake(`is not an endpoint here${hint(endpoint, places)}`, ...path, 'endpoint');
    if (probe !== undefined && !names.includes(probe))
      yield mistake(notAProbe(probe, names), ...path, 'probe');
  }
}

function* inProbes(
  { probes: chosen }: Fields['monitor'],
  probes: readonly Probe[],
  ...at: Path
): Generator<Mistake> {
  const names = [payloadProbeName, ...probes.map(({ name }) => name)];
  for (const [name, how] of Object.entries(chosen)) {
    const path = [...at, 'monitor', 'probes', name];
    const probe = probes.find((candidate) => candidate.name === name);
    if (!names.includes(name)) yield { message: notAProbe(name, names), path, isName: true };
    else if (how !== 'off' && probe && !isIntrusive(probe) && probe.everySeconds === undefined)
      yield mistake('is not a probe for a monitor: in production it proves nothing', ...path);
  }
}
