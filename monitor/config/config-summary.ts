import type { Shard } from '../../config/accepted.ts';
import { durationText } from '../../config/fields.ts';
import type { ConfiguredTarget, MonitorConfig } from '../../config/targets.ts';
import { endpointName } from '../../contract/http/request.ts';
import type { Probe } from '../../contract/probe.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import { type Place, placesOf } from '../round/plan.ts';
import type { WatchedEndpoint } from '../round/watched-target.ts';
import { ownOf } from '../shard.ts';

/** Shows what would run, so that a person can check it first: a paragraph for each target, free of secrets. */
export function formatConfig(
  { file, targets, notify }: MonitorConfig,
  probes: readonly Probe[],
  shard: Shard,
): string {
  const own = ownOf(targets, shard);
  const count = `${targets.length} ${targets.length === 1 ? 'target' : 'targets'}`;
  const share = `, of which ${own.length} for shard ${shard.number}/${shard.of}`;
  const receivers = { notify: notify.map(({ title }) => title) };
  const all = [
    `${file} names ${count}${shard.of === 1 ? '' : share}`,
    ...own.map((target) => aligned(rowsOf(target, probes))),
    ...(notify.length === 0 ? [] : [aligned(receivers)]),
  ];
  // A target's key may be in an address, a label or a note of any target by mistake.
  const scrubber = new Scrubber();
  for (const { account } of targets)
    for (const secret of [account.apiKey, account.secretKey]) scrubber.learn(secret);
  return `${all.map((text) => scrubber.scrubWhole(text)).join('\n\n')}\n`;
}

type Rows = Readonly<Record<string, readonly string[]>>;

function rowsOf(target: ConfiguredTarget, probes: readonly Probe[]): Rows {
  const { connection, endpoints, requestsPerSecond, canaries, objectiveRatio } = target;
  const pace = requestsPerSecond === undefined ? '' : `, at most ${requestsPerSecond} a second`;
  const trust = connection.ca === undefined ? '' : ', its own CA certificates';
  const tolerance = durationText(target.toleranceMs / 1000);
  const objective = Number((objectiveRatio * 100).toPrecision(6));
  return {
    [target.name]: [connection.origin.href],
    '  endpoints': endpoints.map(endpointText),
    '  probes': probesText(placesOf(target, probes, 60)),
    '  off': Object.keys(target.chosen).filter((name) => target.chosen[name] === 'off'),
    '  wrong keys': [target.intrusive ? 'are sent (intrusive)' : 'are never sent'],
    '  requests': [`${connection.timeoutMs / 1000} s each at most${pace}${trust}`],
    '  canaries': [
      canaries === 'off'
        ? 'off'
        : `a new one every ${durationText(canaries.everySeconds)}, tolerance ${tolerance}`,
    ],
    '  maintenance': target.maintenance.map(
      ({ from, until, note }) =>
        `${instant(from)} to ${instant(until)}${note === undefined ? '' : ` (${note})`}`,
    ),
    '  alerts': [`objective ${objective} %, slow from ${durationText(target.slowSeconds)}`],
    '  labels': Object.entries(target.labels).map((label) => label.join(': ')),
  };
}

/** Formats columns: a name is beside its first line. A wide name shifts only its own line. */
const aligned = (rows: Rows): string =>
  Object.entries(rows)
    .flatMap(([name, lines]) =>
      lines.map((line, index) => `${(index === 0 ? name : '').padEnd(14)} ${line}`),
    )
    .join('\n');

function endpointText({ headers = {}, body, unfit, ...endpoint }: WatchedEndpoint): string {
  const further = Object.keys(headers).map((name) => `header ${name}`);
  if (body !== undefined) further.push('a body');
  if (unfit !== undefined) further.push('a schema of the payload');
  return [endpointName(endpoint), further.join(', ')].filter((text) => text !== '').join(' with ');
}

/** The number of probes and of their runs, and how many run at each period. */
function probesText(places: readonly Place[]): string[] {
  const count = (some: readonly Place[]): number =>
    new Set(some.map(({ probe }) => probe.name)).size;
  const periods = [...Map.groupBy(places, ({ everySeconds }) => everySeconds)]
    .toSorted(([one], [other]) => one - other)
    .map(([period, some]) => `${count(some)} every ${durationText(period)}`);
  return [`${count(places)}, which make ${places.length} runs over the endpoints`, ...periods];
}

const instant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
