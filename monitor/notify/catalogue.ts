/** How urgent an alert is; the targets file may give it another name. */
type Severity = 'page' | 'ticket';

export const outageAlert = 'ContractMonitorProviderUnreachable';

/** The entry of an alert in the runbook: a path in the repository, as in ops/rules. */
export const runbookEntry = (alert: string): string => `ops/runbook.md#${alert.toLowerCase()}`;

/** `TARGET` and `CLAUSE` are placeholders. */
const summaries: Readonly<Record<Severity, Readonly<Record<string, string>>>> = {
  page: {
    ContractMonitorUnauthorisedRequestAdmitted: 'TARGET accepts unauthorized requests: CLAUSE',
    ContractMonitorTokenDiesEarly: 'A token of TARGET expired before its 24 hours: CLAUSE',
    ContractMonitorTokenLivesTooLong: 'A token of TARGET was admitted after its 24 hours: CLAUSE',
    ContractMonitorContractBroken: 'TARGET breaks the contract: CLAUSE',
    [outageAlert]: 'TARGET cannot be judged',
    ContractMonitorCertificateEndsInDays: 'A certificate of TARGET expires in less than 3 days',
    ContractMonitorCertificateExpired: 'A certificate of TARGET has expired',
  },
  ticket: {
    ContractMonitorCertificateEndsSoon: 'A certificate of TARGET expires in less than 14 days',
    ContractMonitorStateNotWritable: 'The state of the monitor cannot be written',
    ContractMonitorTestNotification: 'This is a test of the notifications',
  },
};

/**
 * The alerts that the monitor itself can send, by name. Names, severities, summaries and links equal those of
 * ops/rules, so the same routes, inhibitions and groups work; tests compare them.
 */
export const catalogue: ReadonlyMap<string, { severity: Severity; summary: string }> = new Map(
  (['page', 'ticket'] as const).flatMap((severity) =>
    Object.entries(summaries[severity]).map(([name, summary]) => [name, { severity, summary }]),
  ),
);

/** Clauses whose violation has its own alert, as in `ops/rules/contract.yml`. */
const ofClauses: readonly (readonly [clauses: RegExp, alert: string])[] = [
  [/^(TOKEN-[23]|BEARER-[2345])$/, 'ContractMonitorUnauthorisedRequestAdmitted'],
  [/^EXPIRY-1$/, 'ContractMonitorTokenDiesEarly'],
  [/^EXPIRY-[25]$/, 'ContractMonitorTokenLivesTooLong'],
];

export const alertOfClause = (clause: string): string =>
  ofClauses.find(([clauses]) => clauses.test(clause))?.[1] ?? 'ContractMonitorContractBroken';
