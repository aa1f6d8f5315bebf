import type { AlertReceiver } from '../config/targets-file.ts';
import { exchange } from '../contract/http/exchange.ts';
import { Unreachable } from '../contract/http/unreachable.ts';
import { alertNameOf, runbookEntry, unreachableAlert } from './alert-name.ts';
import type { Time } from './loop/time.ts';
import type { KnownVerdict } from './target/contract-status.ts';
import type { KnownTarget } from './target/known-target.ts';

/**
 * Posts to each receiver, once a minute, all that is violated or unreachable now. It keeps no state: an alert that is
 * not posted again ends by its `endsAt`.
 */
export interface AlertSender {
  /** Replaces the receivers, and posts to them at once. */
  sendTo(receivers: readonly AlertReceiver[]): void;
  /** Posts nothing from now on. */
  stop(): void;
}

export interface AlertSenderOptions {
  /** All targets that are watched here. */
  readonly known: () => readonly KnownTarget[];
  readonly log: { note(line: string): void; recovered(line: string): void };
  readonly time: Pick<Time, 'wall' | 'after'>;
  /** A network instead of the real one. */
  readonly exchange?: typeof exchange;
}

const everyMs = 60_000;

/** An alert outlives four posts that are lost in a row. */
const lastsMs = 5 * everyMs;

/** A provider that restarts within this time raises no alert, as in ops/rules. */
const unreachableForMs = 120_000;

export function alertSender(options: AlertSenderOptions): AlertSender {
  const { known, log, time } = options;
  const failing = new WeakSet<AlertReceiver>();
  let receivers: readonly AlertReceiver[] = [];
  let cancel = (): void => {};

  function postAll(): void {
    cancel = time.after(everyMs, postAll);
    const now = time.wall();
    const alerts = known().flatMap((target) => alertsAbout(target, now));
    if (alerts.length === 0) return;
    const body = JSON.stringify(alerts);
    for (const receiver of receivers) void deliver(receiver, body);
  }

  async function deliver(receiver: AlertReceiver, body: string): Promise<void> {
    const problem = await post(receiver, body, options.exchange);
    if (problem === undefined) {
      if (failing.delete(receiver)) log.recovered(`${receiver.title} accepts alerts again`);
    } else if (!failing.has(receiver)) {
      failing.add(receiver);
      log.note(`alerts are not delivered: ${problem}`);
    }
  }

  return {
    sendTo(next) {
      cancel();
      receivers = next;
      if (receivers.length > 0) postAll();
    },
    stop: () => cancel(),
  };
}

/** Posts a list of alerts. It never throws. @returns why the receiver has not accepted it, in one line */
async function post(
  { title, url, authorization, ca, proxies }: AlertReceiver,
  body: string,
  send = exchange,
): Promise<string | undefined> {
  // Some receivers answer with a whole page.
  const connection = { origin: url, timeoutMs: 10_000, maxBodyBytes: 1024 * 1024, ca, proxies };
  const headers = [
    ['Content-Type', 'application/json'] as const,
    ['User-Agent', 'public-api-monitor'] as const,
    ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
  ];
  const path = `${url.pathname}${url.search}`;
  try {
    const { status } = await send(connection, { method: 'POST', path, headers, body }, title);
    return status >= 200 && status < 300 ? undefined : `${title} answers with status ${status}`;
  } catch (error) {
    if (error instanceof Unreachable) return error.message;
    // Any other message may quote what was sent.
    return `${title}: the request cannot be sent (${error instanceof Error ? error.name : typeof error})`;
  }
}

type Texts = Readonly<Record<string, string>>;

/**
 * An alert as `POST /api/v2/alerts` takes it, without secrets.
 * https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml
 */
interface Alert {
  readonly labels: Texts;
  readonly annotations: Texts;
  readonly startsAt: Date;
  readonly endsAt: Date;
}

/** @param now milliseconds since 1970 */
function alertsAbout(target: KnownTarget, now: number): Alert[] {
  const { name, labels, verdicts, outage, inMaintenance } = target;
  if (inMaintenance) return [];
  const alert = (alertname: string, since: number, text: Texts, more: Texts = {}): Alert => ({
    labels: { ...labels, alertname, severity: 'page', target: name, ...more },
    annotations: { ...text, runbook_url: runbookEntry(alertname) },
    // After a step of the clock it may have begun later than now, which an Alertmanager refuses.
    startsAt: new Date(Math.min(since, now)),
    endsAt: new Date(now + lastsMs),
  });
  const violated = verdicts
    .filter(({ verdict }) => verdict === 'violated')
    .map((verdict) => {
      const clause = verdict.clause.id;
      return alert(alertNameOf(clause), verdict.since, violationText(name, verdict), { clause });
    });
  if (outage === undefined || now - outage.since < unreachableForMs) return violated;
  const summary = `${name} cannot be judged`;
  const description = `No answer of ${name} can be judged: ${outage.detail}. The state of the contract is unknown.`;
  return [...violated, alert(unreachableAlert, outage.since, { summary, description })];
}

function violationText(name: string, { clause, findings: [finding] }: KnownVerdict): Texts {
  const sentence = `This does not hold on ${name}: ${clause.text}.`;
  const quoted =
    finding &&
    ` ${finding.endpoint}, ${finding.when}: expected ${finding.expected}, received ${finding.received}`;
  return {
    summary: `${name} breaks the contract: ${clause.id}`,
    description: `${sentence}${quoted ?? ''}`,
  };
}
