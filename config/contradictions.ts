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
  // Intrusive probes of the defaults simply do not apply to a target that does not enable them.
  yield* inProbes({ ...defaults.monitor, intrusive: true }, probes, 'defaults', 'monitor');
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
    const { intrusive = defaults.monitor.intrusive } = target.monitor;
    yield* inProbes({ ...target.monitor, intrusive }, probes, ...at, 'monitor');
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
  { probes: chosen, intrusive = false }: Pick<Fields['monitor'], 'probes' | 'intrusive'>,
  probes: readonly Probe[],
  ...at: Path
): Generator<Mistake> {
  const names = [payloadProbeName, ...probes.map(({ name }) => name)];
  for (const [name, how] of Object.entries(chosen)) {
    const probe = probes.find((candidate) => candidate.name === name);
    const isKnown = names.includes(name);
    const why = isKnown
      ? how !== 'off' && probe && unfit(probe, intrusive)
      : notAProbe(name, names);
    if (why) yield { ...mistake(why, ...at, 'probes', name), isName: true };
  }
}

/** Why a monitor cannot run a probe; undefined if it can. */
function unfit(probe: Probe, intrusive: boolean): string | undefined {
  if (!isIntrusive(probe) && probe.everySeconds === undefined)
    return 'is not a probe for a monitor: in production it proves nothing';
  return isIntrusive(probe) && !intrusive
    ? 'sends wrong credentials, which may lock the account: it runs where intrusive is true'
    : undefined;
}
