import type { Finding } from '../../contract/finding.ts';
import type { NotifyConfig } from '../config/notify.ts';
import type { KnownVerdict } from '../target/contract-status.ts';
import type { KnownTarget } from '../target/known-target.ts';
import type { Alert } from './alert.ts';
import { alertOfClause, catalogue, outageAlert, runbookEntry } from './catalogue.ts';

/** A condition that raises an alert. It holds now, or it is unknown whether it holds. */
export interface Condition {
  /** Unique within the target: the name of the alert, and the clause if there is one. */
  readonly key: string;
  /** How long it must have held before it raises the alert (milliseconds). */
  readonly forMs: number;
  /**
   * The alert that it raises. The alert starts with the condition if that time is known, otherwise now. It is
   * undefined while it is unknown whether the condition holds: a firing alert then continues, and none begins.
   */
  readonly alert: (Omit<Alert, 'startsAt'> & { readonly startsAt?: number }) | undefined;
}

export type Naming = Pick<NotifyConfig, 'severities' | 'labels' | 'page'>;

/** As in ops/rules/availability.yml. */
const unreachableForMs = 120_000;

/** As in ops/rules/monitor.yml. */
const notWritableForMs = 300_000;

const dayMs = 86_400_000;

/** Conditions of one target. @param expiry when its first certificate expires, and @param now: ms since 1970 */
export function conditionsOf(
  target: KnownTarget,
  expiry: number | undefined,
  now: number,
  naming: Naming,
): Condition[] {
  const { verdicts } = target;
  return [
    ...verdicts.flatMap((verdict) => clauseCondition(target, verdict, naming)),
    ...outageCondition(target, naming),
    ...(target.isHttps ? certificateConditions(target, expiry, now, naming) : []),
  ];
}

/** A clause is unknown only if its judgement was prevented. A probe that is turned off has no condition. */
function clauseCondition(
  target: KnownTarget,
  { clause, verdict, cause, since, findings }: KnownVerdict,
  naming: Naming,
): Condition[] {
  if (verdict === 'holds' || (verdict === 'unverified' && cause !== 'prevented')) return [];
  const name = alertOfClause(clause.id);
  const condition = { key: `${name} ${clause.id}`, forMs: 0 };
  if (verdict !== 'violated') return [{ ...condition, alert: undefined }];
  const description = `This does not hold on ${target.name}: ${clause.text}`;
  const alert = alertOf(name, naming, { target, clause: clause.id, description });
  const [finding] = findings;
  const annotations = {
    ...alert.annotations,
    ...(finding === undefined ? {} : { finding: formatFinding(finding) }),
  };
  return [{ ...condition, alert: { ...alert, annotations, startsAt: since } }];
}

/** Findings are free of secrets. */
const formatFinding = ({ endpoint, when, expected, received }: Finding): string =>
  `${endpoint}, ${when}: expected ${expected}, received ${received}`;

function outageCondition(target: KnownTarget, naming: Naming): Condition[] {
  const { outage, isNew } = target;
  const condition = { key: outageAlert, forMs: unreachableForMs };
  if (outage === undefined) return isNew ? [{ ...condition, alert: undefined }] : [];
  const description = `No answer of ${target.name} can be judged: ${outage}. The state of the contract is unknown.`;
  return [{ ...condition, alert: alertOf(outageAlert, naming, { target, description }) }];
}

function certificateConditions(
  target: KnownTarget,
  expiry: number | undefined,
  now: number,
  naming: Naming,
): Condition[] {
  const names = [
    ['ContractMonitorCertificateExpired', Number.NEGATIVE_INFINITY, 0],
    ['ContractMonitorCertificateEndsInDays', 0, 3 * dayMs],
    ['ContractMonitorCertificateEndsSoon', 3 * dayMs, 14 * dayMs],
  ] as const;
  return names.flatMap(([name, least, most]): Condition[] => {
    const condition = { key: name, forMs: 0 };
    if (expiry === undefined) return [{ ...condition, alert: undefined }];
    if (expiry - now < least || expiry - now >= most) return [];
    const description = `The first certificate in the chain of ${target.name} expires on ${new Date(expiry).toISOString()}. From then on clients that verify certificates cannot call the API.`;
    return [{ ...condition, alert: alertOf(name, naming, { target, description }) }];
  });
}

/** Conditions of the monitor itself. @param problem why its state is not writable @param instance its address */
export function ownConditions(
  problem: string | undefined,
  instance: string,
  naming: Naming,
): Condition[] {
  if (problem === undefined) return [];
  const name = 'ContractMonitorStateNotWritable';
  const description = `The monitor at ${instance} cannot write its state: ${problem}. It continues, but a restart would lose everything since then, including canaries.`;
  const alert = alertOf(name, naming, { instance, description });
  return [{ key: name, forMs: notWritableForMs, alert }];
}

interface Subject {
  readonly target?: Pick<KnownTarget, 'name' | 'labels'>;
  readonly clause?: string;
  readonly instance?: string;
  readonly description: string;
}

export function alertOf(
  name: string,
  { severities, labels, page }: Naming,
  { target, clause, instance, description }: Subject,
): Omit<Alert, 'startsAt'> {
  const { severity, summary } = catalogue.get(name) ?? missing(name);
  const base = page?.href.replace(/\/$/, '');
  const filled = summary
    .replace('TARGET', () => target?.name ?? '')
    .replace('CLAUSE', () => clause ?? '');
  return {
    labels: {
      ...labels,
      ...target?.labels,
      alertname: name,
      severity: severities[severity],
      ...(target === undefined ? {} : { target: target.name, instance: target.name }),
      ...(instance === undefined ? {} : { instance }),
      ...(clause === undefined ? {} : { clause }),
    },
    annotations: {
      summary: filled,
      description,
      runbook_url: runbookEntry(name),
    },
    link: base && `${base}${target === undefined ? '/' : `/targets/${target.name}`}`,
  };
}

function missing(name: string): never {
  throw new Error(`${name} is not in the catalogue`);
}
