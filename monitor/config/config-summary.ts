import type { Shard } from '../../config/accepted.ts';
import { durationText } from '../../config/fields.ts';
import type { ConfiguredTarget, MonitorConfig } from '../../config/targets.ts';
import { endpointName } from '../../contract/http/request.ts';
import type { Probe } from '../../contract/probe.ts';
import { Scrubber } from '../../contract/secrets/scrub.ts';
import type { Window } from '../loop/maintenance.ts';
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
  const share =
    shard.of === 1 ? '' : `, of which ${own.length} for shard ${shard.number}/${shard.of}`;
  const clean = cleaning(targets);
  const paragraphs = own.map((target) =>
    aligned([
      [target.name, clean(target.connection.origin.href)],
      ...rowsOf(target, probes, clean),
    ]),
  );
  const all = [`${file} names ${count}${share}`, ...paragraphs];
  if (notify.length > 0)
    all.push(aligned([['notify', ...notify.map(({ title }) => clean(title))]]));
  return `${all.join('\n\n')}\n`;
}

type Clean = (text: string) => string;

/** A target's key may be in an address, a label or a note of any target by mistake. */
function cleaning(targets: MonitorConfig['targets']): Clean {
  const scrubber = new Scrubber();
  for (const { account } of targets)
    for (const secret of [account.apiKey, account.secretKey]) scrubber.learn(secret);
  return (text) => scrubber.scrubWhole(text);
}

type Row = readonly [name: string, ...lines: string[]];

function rowsOf(target: ConfiguredTarget, probes: readonly Probe[], clean: Clean): Row[] {
  const { connection, endpoints, requestsPerSecond, canaries, toleranceMs } = target;
  const { objectiveRatio, slowSeconds } = target;
  const places = placesOf(target, probes, 60);
  const off = Object.entries(target.chosen).flatMap(([name, how]) => (how === 'off' ? name : []));
  const windows = target.maintenance.map((one) => clean(windowText(one)));
  const labels = Object.entries(target.labels).map(([name, text]) => clean(`${name}: ${text}`));
  const pace = requestsPerSecond === undefined ? '' : `, at most ${requestsPerSecond} a second`;
  const trust = connection.ca === undefined ? '' : ', its own CA certificates';
  const tolerance = durationText(toleranceMs / 1000);
  return [
    ['  endpoints', ...endpoints.map((one) => clean(endpointText(one)))],
    ['  probes', ...probesText(places)],
    ...row('  off', off),
    ['  wrong keys', target.intrusive ? 'are sent (intrusive)' : 'are never sent'],
    ['  requests', `${connection.timeoutMs / 1000} s each at most${pace}${trust}`],
    [
      '  canaries',
      canaries === 'off'
        ? 'off'
        : `a new one every ${durationText(canaries.everySeconds)}, tolerance ${tolerance}`,
    ],
    ...row('  maintenance', windows),
    ['  alerts', `objective ${percent(objectiveRatio)}, slow from ${durationText(slowSeconds)}`],
    ...row('  labels', labels),
  ];
}

const percent = (ratio: number): string => `${Number((ratio * 100).toPrecision(6))} %`;

const row = (name: string, lines: readonly string[]): Row[] =>
  lines.length === 0 ? [] : [[name, ...lines]];

const nameWidth = 15;

/** Formats columns: a name is beside its first line. A wide name shifts only its own line. */
const aligned = (rows: readonly Row[]): string =>
  rows
    .flatMap(([name, ...lines]) =>
      lines.map((line, index) => `${(index === 0 ? name : '').padEnd(nameWidth - 1)} ${line}`),
    )
    .join('\n');

function endpointText({ headers, body, unfit, ...endpoint }: WatchedEndpoint): string {
  const with_ = [
    ...Object.keys(headers ?? {}).map((name) => `header ${name}`),
    ...(body === undefined ? [] : ['a body']),
    ...(unfit === undefined ? [] : ['a schema of the payload']),
  ];
  return `${endpointName(endpoint)}${with_.length === 0 ? '' : ` with ${with_.join(', ')}`}`;
}

/** The number of probes and of their runs, and how many run at each period. */
function probesText(places: readonly Place[]): string[] {
  const names = (some: readonly Place[]): number =>
    new Set(some.map(({ probe }) => probe.name)).size;
  const periods = [...Map.groupBy(places, ({ everySeconds }) => everySeconds)]
    .toSorted(([one], [other]) => one - other)
    .map(([period, some]) => `${names(some)} every ${durationText(period)}`);
  return [`${names(places)}, which make ${places.length} runs over the endpoints`, ...periods];
}

function windowText(window: Window): string {
  const note = window.note === undefined ? '' : ` (${window.note})`;
  return `${instant(window.from)} to ${instant(window.until)}${note}`;
}

const instant = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');
