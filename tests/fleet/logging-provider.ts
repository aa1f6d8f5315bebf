import net from 'node:net';
import { right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { account, tokenMark } from '../monitor/provider.ts';

/** A request in the provider's log: its target, the monitor that sent it, and the time. */
interface Logged {
  readonly target: string;
  readonly source: string;
  readonly at: number;
}

/** A provider that keeps the contract at many addresses, one for each target. */
export async function startLoggingProvider() {
  const log: Logged[] = [];
  let minted = 0;
  const sandbox = await startSandbox({
    host: '0.0.0.0',
    account,
    behaviour: {
      ...right,
      mint: (state, now) =>
        `${tokenMark}${minted++}x${right.mint(state, now).replaceAll('-', 'A')}`.slice(0, 60),
      arrived({ connection }) {
        if (!(connection instanceof net.Socket)) return 0;
        const { localAddress = '', remoteAddress = '' } = connection;
        log.push({ target: localAddress, source: remoteAddress, at: Date.now() });
        return 0;
      },
    },
  });
  return {
    ...sandbox,
    log,
    /** The address of a target, from 0 up. */
    addressOf: (index: number) =>
      `http://127.1.${Math.floor(index / 250)}.${(index % 250) + 1}:${sandbox.baseUrl.port}`,
  };
}

/** How many times a target got a new monitor, by the requests that it received. The first one counts too. */
export function turnsOf(log: readonly Logged[]): Map<string, number> {
  const turns = new Map<string, { count: number; source: string }>();
  for (const { target, source } of log) {
    const known = turns.get(target);
    if (known === undefined) turns.set(target, { count: 1, source });
    else if (known.source !== source) turns.set(target, { count: known.count + 1, source });
  }
  return new Map([...turns].map(([target, { count }]) => [target, count]));
}

/** The longest time without a request to each target, up to an instant (milliseconds). */
export function gapsOf(log: readonly Logged[], until: number): Map<string, number> {
  const [last, gaps] = [new Map<string, number>(), new Map<string, number>()];
  const note = (target: string, at: number): void => {
    gaps.set(target, Math.max(gaps.get(target) ?? 0, at - (last.get(target) ?? at)));
    last.set(target, at);
  };
  for (const { target, at } of log) note(target, at);
  for (const target of last.keys()) note(target, until);
  return gaps;
}
