import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { bodyOf } from '../../contract/http/request-encoding.ts';
import { exchange } from '../../contract/http/transport.ts';
import { Unreachable } from '../../contract/http/unreachable.ts';
import type { Daemon } from '../operations/daemon.ts';
import { type Inbox, startInbox } from '../operations/inbox.ts';
import { startAlertmanager } from '../operations/stack.ts';
import { second } from './stage.ts';

/** A real Alertmanager, which sends each alert separately and at once to an inbox. */
export interface RealAlertmanager extends AsyncDisposable {
  /** The notifications that a user received: `firing ContractMonitorContractBroken api ERROR-3`. */
  seen(): string[];
  readonly inbox: Inbox;
  readonly address: URL | undefined;
  /** Starts it after `stop`, with its earlier state. */
  start(): Promise<void>;
  stop(): Promise<void>;
  /**
   * The network of a monitor in simulated time. Times are shifted to real time, which this Alertmanager uses.
   * @param wall the simulated time since 1970
   */
  networkOn(wall: () => number): typeof exchange;
  /**
   * Advances simulated time by seconds. After each it waits until no request is under way, because simulated minutes
   * pass faster than a real request.
   */
  passing(time: { pass(ms: number): Promise<void> }): (ms: number) => Promise<void>;
}

const configOf = (inbox: Inbox): string => `
route: { receiver: inbox, group_by: ["..."], group_wait: 0s, group_interval: 1s, repeat_interval: 12h }
receivers: [{ name: inbox, webhook_configs: [{ url: "${inbox.address.origin}/all" }] }]
`;

export async function startRealAlertmanager(): Promise<RealAlertmanager> {
  const inbox = await startInbox();
  const data = mkdtempSync(path.join(os.tmpdir(), 'alertmanager-data-'));
  let daemon: Daemon | undefined;
  const underWay = new Set<Promise<unknown>>();

  async function start(): Promise<void> {
    daemon = await startAlertmanager(configOf(inbox), data);
  }

  async function stop(): Promise<void> {
    const stopping = daemon;
    daemon = undefined;
    await stopping?.stop();
  }

  await start();
  return {
    inbox,
    start,
    stop,
    get address() {
      return daemon?.address;
    },
    seen: () =>
      inbox.received.flatMap(({ alerts }) =>
        alerts.map(({ status, labels: { alertname, target, clause } }) =>
          [status, alertname, target, clause].filter((part) => part !== undefined).join(' '),
        ),
      ),
    networkOn: (wall) => async (connection, request, where) => {
      if (daemon === undefined) throw new Unreachable('connect', where, 'ECONNREFUSED');
      const shift = Date.now() - wall();
      const body = `${bodyOf(request)}`.replaceAll(
        /"(startsAt|endsAt)":"([^"]+)"/g,
        (_, name, at) => `"${name}":"${new Date(Date.parse(at) + shift).toISOString()}"`,
      );
      const to = { ...connection, origin: daemon.address };
      const sent = exchange(to, { ...request, body }, where);
      underWay.add(sent);
      const answer = await sent.finally(() => underWay.delete(sent));
      return { ...answer, headers: answer.headers.filter(([name]) => name !== 'Date') };
    },
    passing: (time) => async (ms) => {
      for (let leftMs = ms; leftMs > 0; leftMs -= second) {
        await time.pass(Math.min(leftMs, second));
        await Promise.allSettled(underWay);
      }
    },
    async [Symbol.asyncDispose]() {
      await daemon?.[Symbol.asyncDispose]();
      await inbox[Symbol.asyncDispose]();
      rmSync(data, { recursive: true });
    },
  };
}
