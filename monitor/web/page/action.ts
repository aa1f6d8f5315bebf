import { quotedWord } from '../../../contract/http/curl.ts';
import { alertNameOf, runbookEntry } from '../../alert-name.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { html, type Markup } from './markup.ts';

interface Action {
  /** The alert whose entry in the runbook applies. */
  readonly alert: string;
  /** The arguments of `npm run probe` that reproduce the finding; absent when one round of probes cannot. */
  readonly words?: string;
  /** The name of the target. */
  readonly target: string;
}

/** The next steps for the reader: read the runbook, and reproduce the finding. */
export const action = ({ alert, words, target }: Action): Markup =>
  html`<p class="action">Runbook: <code>${runbookEntry(alert)}</code>${
    words === undefined
      ? ''
      : html`<br>Repeat: <code>npm run probe --${words === '' ? '' : ` ${words}`} --target ${quotedWord(target)}</code>`
  }</p>`;

/** The next steps after the violation of a clause. */
export function clauseAction(
  { name, probes }: Pick<TargetStatus, 'name' | 'probes'>,
  clause: string,
): Markup {
  // A canary needs a day to find something, so one round of probes cannot reproduce it.
  const isRepeatable = probes.some(({ clauses }) => clauses.includes(clause));
  const words = isRepeatable ? clause : undefined;
  return action({ alert: alertNameOf(clause), words, target: name });
}
