import { field } from '../../contract/http/answer.ts';
import { tokenPath } from '../../contract/http/request.ts';
import type { Interaction } from '../pact.ts';
import { matchersOf } from './attachment.ts';

/** The matching rules about the status of the answer. */
const rulesOf = (interaction: Interaction): unknown[] =>
  matchersOf(interaction, 'response')
    .filter(({ category }) => category === 'status')
    .map(({ document }) => document);

/** Other rules, such as `type`, match every status. */
const exact: ReadonlySet<unknown> = new Set(['statusCode', 'status-code', 'equality']);

/** A status that may have any value is not an expectation. */
export const anyStatuses = (interaction: Interaction): string[] =>
  rulesOf(interaction).some((rule) => !exact.has(field(rule, 'match')))
    ? ['response.matchingRules lets any status be right: name one, or use statusCode']
    : [];

/**
 * Whether the interaction accepts a 401, perhaps among other statuses. Then a control must show that the token causes
 * it. The token endpoint needs no control: a run begins only after that endpoint has accepted valid credentials.
 * @param path the requested path, if it is not the example
 */
export const acceptsRefusal = (interaction: Interaction, path = interaction.path): boolean =>
  path !== tokenPath &&
  (interaction.status === 401 ||
    rulesOf(interaction).some((rule) => {
      const status = field(rule, 'status');
      return Array.isArray(status)
        ? status.includes(401)
        : status === 'clientError' || status === 'error';
    }));
