/** The alerts of ops/rules that a violated clause raises; all others raise `ContractMonitorContractBroken`. */
const namesOfClauses: readonly (readonly [clauses: RegExp, name: string])[] = [
  [/^(TOKEN-[23]|BEARER-[2345])$/, 'ContractMonitorUnauthorizedAdmitted'],
  [/^EXPIRY-1$/, 'ContractMonitorTokenDiesEarly'],
  [/^EXPIRY-[25]$/, 'ContractMonitorTokenLivesTooLong'],
];

export const alertNameOf = (clause: string): string =>
  namesOfClauses.find(([clauses]) => clauses.test(clause))?.[1] ?? 'ContractMonitorContractBroken';

/** The entry of an alert in the runbook: a path in the repository, as in ops/rules. */
export const runbookEntry = (alert: string): string => `ops/runbook.md#${alert.toLowerCase()}`;

export const unreachableAlert = 'ContractMonitorUnreachable';
