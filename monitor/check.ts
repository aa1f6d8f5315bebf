import type { Settings } from '../config/settings.ts';
import { timeText } from '../contract/durations.ts';
import { endpointName } from '../contract/http/request.ts';
import { Scrubber } from '../contract/secrets/scrub.ts';
import { count } from '../contract/words.ts';
import { probes } from '../probes/index.ts';
import { describeReceiver } from './alertmanager.ts';
import { computeMaxRequests } from './round/allowance.ts';
import type { WatchedTarget } from './round/watched-target.ts';
import { type TargetsSet, targetsSet } from './targets.ts';

/** What `npm start -- --check` prints: what would run, a paragraph for each target. @throws SettingsError */
export async function check(settings: Settings): Promise<string> {
  const set = await targetsSet(settings, probes);
  if (set === undefined) return 'the settings are valid: the sandbox would be watched\n';
  const { targets: file, monitor } = settings;
  return formatPlan(set, file, monitor.periodSeconds);
}

/** Free of secrets: a target's key may be in an address by mistake. */
export function formatPlan(
  { targets, names, shard, notify = [] }: TargetsSet,
  file: string | undefined,
  periodSeconds: number,
): string {
  const share = `, of which ${targets.length} for shard ${shard.number}/${shard.of}`;
  const text = [
    `${file === undefined ? 'the settings name' : `${file} names`} ${count(names.length, 'target')}${shard.of === 1 ? '' : share}`,
    ...targets.map((target) => formatTarget(target, periodSeconds)),
    ...notify.map((receiver) => `notify         ${describeReceiver(receiver)}`),
  ].join('\n\n');
  const scrubber = new Scrubber();
  for (const { account } of targets)
    for (const secret of [account.apiKey, account.secretKey]) scrubber.learn(secret);
  return `${scrubber.scrubWhole(text)}\n`;
}

function formatTarget(target: WatchedTarget, usualSeconds: number): string {
  const { name, connection, endpoints, requestsPerSecond, intrusive } = target;
  const { periodSeconds = usualSeconds } = target;
  const { perPeriod, opening, perDay } = computeMaxRequests(endpoints.length, periodSeconds);
  const pace = requestsPerSecond === undefined ? '' : `, and ${requestsPerSecond} a second`;
  const period = timeText(periodSeconds * 1000);
  return [
    `${name.padEnd(14)} ${connection.origin.href}`,
    `  endpoints    ${endpoints.map(endpointName).join('\n'.padEnd(16))}`,
    `  requests     at most ${perPeriod} in ${period} (${opening} at first)${pace}; some ${perDay.toLocaleString('en')} a day`,
    `  wrong keys   ${intrusive ? 'are sent (intrusive)' : 'are never sent'}`,
  ].join('\n');
}
