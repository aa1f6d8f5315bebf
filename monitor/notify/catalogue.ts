/** How urgent an alert is; the targets file may give it another name. */
type Severity = 'page' | 'ticket';

interface CatalogueEntry {
  readonly severity: Severity;
  /** `TARGET` and `CLAUSE` are placeholders. */
  readonly summary: string;
  /** The section of ops/runbook.md. */
  readonly anchor: string;
}

/** The alert that an outage raises. */
export const outageAlert = 'ContractMonitorProviderUnreachable';

const entry = (severity: Severity, name: string, summary: string): [string, CatalogueEntry] => [
  name,
  { severity, summary, anchor: name.toLowerCase() },
];

/**
 * The alerts that the monitor itself can send. Names, severities, summaries and links equal those of ops/rules, so
 * the same routes, inhibitions and groups work; tests compare them.
 */
const entries = [
  entry(
    'page',
    'ContractMonitorUnauthorisedRequestAdmitted',
    'TARGET accepts unauthorized requests: CLAUSE',
  ),
  entry(
    'page',
    'ContractMonitorTokenDiesEarly',
    'A token of TARGET expired before its 24 hours: CLAUSE',
  ),
  entry(
    'page',
    'ContractMonitorTokenLivesTooLong',
    'A token of TARGET was admitted after its 24 hours: CLAUSE',
  ),
  entry('page', 'ContractMonitorContractBroken', 'TARGET breaks the contract: CLAUSE'),
  entry('page', outageAlert, 'TARGET cannot be judged'),
  entry(
    'ticket',
    'ContractMonitorCertificateEndsSoon',
    'A certificate of TARGET expires in less than 14 days',
  ),
  entry(
    'page',
    'ContractMonitorCertificateEndsInDays',
    'A certificate of TARGET expires in less than 3 days',
  ),
  entry('page', 'ContractMonitorCertificateExpired', 'A certificate of TARGET has expired'),
  entry('ticket', 'ContractMonitorStateNotWritable', 'The state of the monitor cannot be written'),
  entry('ticket', 'ContractMonitorTestNotification', 'This is a test of the notifications'),
] as const;

export const catalogue: ReadonlyMap<string, CatalogueEntry> = new Map(entries);

/** Clauses whose violation has its own alert, as in `ops/rules/contract.yml`. */
const ofClauses: readonly (readonly [clauses: RegExp, alert: string])[] = [
  [/^(TOKEN-[23]|BEARER-[2345])$/, 'ContractMonitorUnauthorisedRequestAdmitted'],
  [/^EXPIRY-1$/, 'ContractMonitorTokenDiesEarly'],
  [/^EXPIRY-[25]$/, 'ContractMonitorTokenLivesTooLong'],
];

/** The alert that a clause raises while it is violated. */
export const alertOfClause = (clause: string): string =>
  ofClauses.find(([clauses]) => clauses.test(clause))?.[1] ?? 'ContractMonitorContractBroken';
