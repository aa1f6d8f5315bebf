import { timeText } from '../contract/durations.ts';
import type { Wait } from '../contract/http/pace.ts';
import { needsClock, type Probe } from '../contract/probe.ts';
import { dueRuns, type Target } from '../contract/round/target.ts';
import costs from './costs.json' with { type: 'json' };

/** By the name of a probe, on one endpoint: as a sandbox with JWTs counts, which a test repeats. */
const rows: Readonly<Record<string, readonly number[]>> = costs;

/** What a run sends, about: requests in all, those to the token endpoint, and calls with a valid token. */
export function estimateCost(probes: readonly Probe[], target: Target) {
  const possible = probes.filter((probe) => target.clock !== undefined || !needsClock(probe));
  const due = dueRuns(possible, target).map(({ probe: { name } }) => {
    const quick = target.level === 'quick' ? rows[`${name} quick`] : undefined;
    return quick ?? rows[name] ?? [];
  });
  const sum = (column: number): number => due.reduce((all, row) => all + (row[column] ?? 0), 1);
  return { requests: sum(0), tokens: sum(1), calls: sum(2) };
}

export type Cost = ReturnType<typeof estimateCost>;

/** What a run costs, in one line before its first request. */
export function costText({ requests, tokens, calls }: Cost, target: Target): string {
  const { requestsPerSecond = Infinity, tokensPerSecond = Infinity } = target;
  const seconds = Math.max(requests / requestsPerSecond, tokens / tokensPerSecond);
  const time = seconds > 0 ? `, ${timeText(seconds * 1000)} at the rate that is set` : '';
  return `about ${requests} requests, ${tokens} for tokens, ${calls} with a valid token${time}`;
}

/** Why a run waits, how long it takes, and which setting helps. */
export function waitText({ isForToken, ms, intervalMs, sent }: Wait, cost: Cost): string {
  const [what, all, setting] = isForToken
    ? ['the token endpoint', cost.tokens, 'PUBLIC_API_TOKEN_RATE, tokenRate']
    : ['the provider', cost.requests, 'PUBLIC_API_RATE, rate'];
  const left = Math.max(all - sent, 1) * intervalMs + ms;
  const pace = `${Math.max(Math.round(60_000 / intervalMs), 1)}/min`;
  return `${what} limits the rate: at about ${pace} ${timeText(left)} left (if you know it: ${setting})`;
}
