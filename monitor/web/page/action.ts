import { shellWord } from '../../../settings/repeating.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { html, type Markup } from './markup.ts';

/** Clauses whose violation has an alert of its own, as `ops/rules/contract.yml` has it. */
const alerts: readonly (readonly [clauses: RegExp, alert: string])[] = [
  [/^(TOKEN-[23]|BEARER-[2345])$/, 'ContractMonitorUnauthorisedRequestAdmitted'],
  [/^EXPIRY-1$/, 'ContractMonitorTokenDiesEarly'],
  [/^EXPIRY-[25]$/, 'ContractMonitorTokenLivesTooLong'],
];

/** The alert that a violation of a clause raises. */
export const alertOf = (clause: string): string =>
  alerts.find(([clauses]) => clauses.test(clause))?.[1] ?? 'ContractMonitorContractBroken';

/** The alert that an outage raises. */
export const outageAlert = 'ContractMonitorProviderUnreachable';

interface Action {
  /** Unlike that of any other on the page, so that a renewed page keeps the focus. */
  readonly id: string;
  /** The alert whose section of the runbook fits. */
  readonly alert: string;
  /** The words of `npm run probe` that repeat what was found; absent when one round of probes cannot. */
  readonly words?: string;
  /** The name of the target. */
  readonly target: string;
}

/** What the reader can do next: read the runbook, and repeat what was found. */
export const action = ({ id, alert, words, target }: Action): Markup =>
  html`<p class="action"><a id="runbook-${id}" href="/runbook#${alert}">Runbook</a>${
    words === undefined
      ? ''
      : html` <code>npm run probe --${words === '' ? '' : ` ${words}`} --target ${shellWord(target)}</code>`
  }</p>`;

/** What the reader can do about the violation of a clause. @param id see `Action` */
export function clauseAction(
  { name, probes }: Pick<TargetStatus, 'name' | 'probes'>,
  clause: string,
  id = clause,
): Markup {
  // A canary's finding takes a day, so one round of probes cannot repeat it.
  const isRepeatable = probes.some(({ clauses }) => clauses.includes(clause));
  const words = isRepeatable ? clause : undefined;
  return action({ id, alert: alertOf(clause), words, target: name });
}
