import type { Secret } from '../../contract/secrets/secret.ts';
import { FirstSights } from '../canary/first-sights.ts';
import { openTracedClient, type TracedClient } from '../round/traced-client.ts';
import type { WatchedTarget } from '../round/watched-target.ts';
import type { MonitorContext } from './monitor-context.ts';
import { RecentTokens } from './recent-tokens.ts';

/** Opens the clients of one watched target, and what they show of its tokens. */
export interface TargetClients {
  readonly openClient: (secrets?: readonly Secret[]) => TracedClient;
  readonly sights: FirstSights;
}

/** @param held the tokens that canaries hold, which answers may quote */
export function clientsOf(
  target: WatchedTarget,
  { state, time, exchange, metrics }: MonitorContext,
  held: () => readonly Secret[],
): TargetClients {
  const { secretKey } = target.account;
  const sights = new FirstSights(target.name, { secretKey, state, time });
  const openClient = openTracedClient(target, {
    time,
    exchange,
    onToken: (token, sentAt) => sights.note(token, sentAt),
    remembered: new RecentTokens(held),
    onPhases: ({ processing }) => metrics.processed(target.name, processing),
  });
  return { openClient, sights };
}
