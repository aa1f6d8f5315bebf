import { endpointName } from '../contract/http/request.ts';
import { isIntrusive, needsClock, type Probe } from '../contract/probe.ts';
import { payloadProbeName } from './defaults.ts';
import { holdsKey } from './endpoints.ts';
import { hint } from './nearest.ts';
import type { TargetsFile } from './targets-file.ts';

/** A mistake in a file, and where it is: `['targets', 0, 'url']`. */
export interface Mistake {
  readonly path: readonly (string | number)[];
  /** Follows the name of the field, as in `Unaccepted`. */
  readonly message: string;
  readonly input?: unknown;
  /** Whether it is in the name at the end of the path, not in its value. */
  readonly isAboutName?: boolean;
}

/** What is wrong in a targets file whose fields are right by themselves. */
export function* contradictions(
  { defaults, targets }: TargetsFile,
  probes: readonly Probe[],
): Generator<Mistake> {
  // Intrusive probes of the defaults simply do not apply to a target that does not enable them.
  yield* inProbes(['defaults'], { ...defaults, intrusive: true }, probes);
  for (const [index, target] of targets.entries()) {
    const at = ['targets', index];
    const all = { ...defaults, ...target };
    const before = targets.findIndex(({ name }) => name === target.name);
    if (before < index)
      yield { path: [...at, 'name'], message: `is that of targets[${before}] too` };
    if (all.endpoints === undefined)
      yield { path: [...at, 'endpoints'], message: 'is missing, in the defaults too' };
    yield* inEndpoints(target.endpoints === undefined ? ['defaults'] : at, all);
    yield* inProbes(at, { ...target, intrusive: all.intrusive }, probes);
  }
}

type Fields = TargetsFile['targets'][number];

function* inEndpoints(
  at: Mistake['path'],
  { endpoints = [], writes, credentials }: Fields,
): Generator<Mistake> {
  const names = endpoints.map(endpointName);
  for (const [place, endpoint] of endpoints.entries()) {
    const path = [...at, 'endpoints', place];
    const { method, body, unfit } = endpoint;
    const hasBody = /^(POST|PUT|PATCH)$/.test(method);
    if (names.indexOf(endpointName(endpoint)) < place)
      yield { path, message: 'is the same as one above it' };
    if (!writes && (hasBody || method === 'DELETE'))
      yield {
        path,
        message: `is a ${method}, which may change something: set writes: true where it may`,
      };
    if (holdsKey(endpoint, credentials))
      yield { path, message: 'holds a key of the account, and would be shown: omit it' };
    if (body !== undefined && !hasBody)
      yield { path: [...path, 'body'], message: 'goes with POST, PUT and PATCH only' };
    if (unfit !== undefined && method === 'HEAD')
      yield {
        path: [...path, 'schema'],
        message: 'checks a body, and the answer to HEAD has none',
      };
  }
}

function* inProbes(
  at: Mistake['path'],
  { probes: chosen, intrusive }: Pick<Fields, 'probes' | 'intrusive'>,
  probes: readonly Probe[],
): Generator<Mistake> {
  const known = new Map(probes.map((probe) => [probe.name, probe]));
  for (const [name, how] of Object.entries(chosen)) {
    const found = { path: [...at, 'probes', name], isAboutName: true };
    const probe = known.get(name);
    if (name === payloadProbeName) continue;
    if (probe === undefined)
      yield {
        ...found,
        message: `is not a probe${hint(name, [...known.keys()])} (npm run gate -- --list shows all)`,
      };
    else if (how === 'off') continue;
    else if (needsClock(probe))
      yield { ...found, message: 'is not a probe for a monitor: it needs simulated time' };
    else if (isIntrusive(probe) && !intrusive)
      yield {
        ...found,
        message:
          'sends wrong credentials, which may lock the account: it runs where intrusive is true',
      };
    else if (!isIntrusive(probe) && probe.everySeconds === undefined)
      yield {
        ...found,
        message: 'is not a probe for a monitor: in production it proves nothing',
      };
  }
}
