import { exchange } from '../contract/http/exchange.ts';
import type { Proxies } from '../contract/http/proxy.ts';
import { UnreachableError } from '../contract/http/unreachable.ts';
import { type Secret, seal } from '../contract/secrets/secret.ts';
import type { Log } from './log.ts';
import type { Time } from './loop/time.ts';
import { clausesWith } from './status/status.ts';
import type { TargetView } from './status/view.ts';

/** Takes alerts in the form of an Alertmanager. */
export interface AlertReceiver {
  readonly url: URL;
  /** A Bearer token. */
  readonly token?: Secret | undefined;
  readonly ca?: string | undefined;
  readonly proxies?: Proxies | undefined;
}

/** Its name for users. The path may be secret. */
export const describeReceiver = ({ url }: AlertReceiver): string => `receiver at ${url.host}`;

export interface AlertSenderOptions {
  readonly targets: () => readonly TargetView[];
  readonly log: Pick<Log, 'info' | 'warn'>;
  readonly time: Pick<Time, 'wall' | 'after'>;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
}

const everyMs = 60_000;

/** An alert outlives four posts that are lost in a row. */
const lastsMs = 5 * everyMs;

/** A provider that restarts within this time raises no alert, as in ops/rules. */
const unreachableForMs = 120_000;

/** Posts to each receiver, once a minute, all that is violated or unreachable now: what is not posted again ends. */
export function alertSender(options: AlertSenderOptions) {
  const { targets, log, time } = options;
  const failing = new WeakSet<AlertReceiver>();
  let receivers: readonly AlertReceiver[] = [];
  let cancel = (): void => {};

  function postAll(): void {
    cancel = time.after(everyMs, postAll);
    const now = time.wall();
    const alerts = targets().flatMap((target) => alertsAbout(target, now));
    if (alerts.length === 0) return;
    const body = JSON.stringify(alerts);
    for (const receiver of receivers) void deliver(receiver, body);
  }

  async function deliver(receiver: AlertReceiver, body: string): Promise<void> {
    const problem = await post(receiver, body, options.exchange);
    if (problem === undefined) {
      if (failing.delete(receiver)) log.info(`${describeReceiver(receiver)} accepts alerts again`);
    } else if (!failing.has(receiver)) {
      failing.add(receiver);
      log.warn(`alerts are not delivered: ${problem}`);
    }
  }

  return {
    /** Replaces the receivers, and posts to them at once. */
    sendTo(next: readonly AlertReceiver[]): void {
      cancel();
      receivers = next;
      if (receivers.length > 0) postAll();
    },
    stop: (): void => cancel(),
  };
}

/** Posts a list of alerts. It never throws. @returns why the receiver has not accepted it, in one line */
async function post(
  receiver: AlertReceiver,
  body: string,
  send = exchange,
): Promise<string | undefined> {
  const { url, token, ca, proxies } = receiver;
  const title = describeReceiver(receiver);
  // Some receivers answer with a whole page.
  const connection = { origin: url, timeoutMs: 10_000, maxBodyBytes: 1024 * 1024, ca, proxies };
  const headers = [
    ['Content-Type', 'application/json'],
    ['User-Agent', 'public-api-monitor'],
    ...(token === undefined ? [] : [['Authorization', seal`Bearer ${token}`] as const]),
  ] as const;
  const path = `${url.pathname}${url.search}`;
  try {
    const { status } = await send(connection, { method: 'POST', path, headers, body }, title);
    return status >= 200 && status < 300 ? undefined : `${title} answers with status ${status}`;
  } catch (error) {
    if (error instanceof UnreachableError) return error.message;
    // Any other message may quote what was sent.
    return `${title}: the request cannot be sent (${error instanceof Error ? error.name : typeof error})`;
  }
}

/** Without secrets: https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml, `POST /api/v2/alerts` */
function alertsAbout({ status, labels, maintenance }: TargetView, now: number): object[] {
  if (maintenance !== undefined) return [];
  const { target, clauses, silence } = status;
  const alert = (alertname: string, since: number, text: object, more: object = {}) => ({
    labels: { ...labels, alertname, severity: 'page', target, ...more },
    annotations: { ...text, runbook_url: runbookEntry(alertname) },
    // After a step of the clock it may have begun later than now, which an Alertmanager refuses.
    startsAt: new Date(Math.min(since, now)),
    endsAt: new Date(now + lastsMs),
  });
  const violated = clausesWith(status, 'violated').map(({ id, text }) => {
    const [first] = clauses[id].findings;
    const { endpoint, when, expected, received } = first ?? {};
    const quoted = first && ` ${endpoint}, ${when}: expected ${expected}, received ${received}`;
    const summary = `${target} breaks the contract: ${id}`;
    const description = `This does not hold on ${target}: ${text}.${quoted ?? ''}`;
    return alert(alertNameFor(id), clauses[id].since, { summary, description }, { clause: id });
  });
  if (!silence?.isEverywhere || now - silence.since < unreachableForMs) return violated;
  const summary = `${target} cannot be judged`;
  const description = `No answer of ${target} can be judged: ${silence.detail}. The state of the contract is unknown.`;
  return [...violated, alert(unreachableAlert, silence.since, { summary, description })];
}

/** The alerts of ops/rules that a violated clause raises; all others raise `ContractMonitorContractBroken`. */
export function alertNameFor(clause: string): string {
  if (/^(TOKEN-[23]|BEARER-[2345])$/.test(clause)) return 'ContractMonitorUnauthorizedAdmitted';
  if (clause === 'EXPIRY-1') return 'ContractMonitorTokenDiesEarly';
  if (/^EXPIRY-[25]$/.test(clause)) return 'ContractMonitorTokenLivesTooLong';
  return 'ContractMonitorContractBroken';
}

export const unreachableAlert = 'ContractMonitorUnreachable';

/** The entry of an alert in the runbook: a path in the repository, as in ops/rules. */
export const runbookEntry = (alert: string): string => `ops/runbook.md#${alert.toLowerCase()}`;
