import { field } from '../../contract/http/answer.ts';
import { tokenPath } from '../../contract/http/request.ts';
import type { Interaction } from '../pact.ts';
import { matchersOf } from './attachment.ts';

/** The matching rules about the status of the answer. */
const rulesOf = (interaction: Interaction): unknown[] =>
  matchersOf(interaction, 'response')
    .filter(({ category }) => category === 'status')
    .map(({ document }) => document);

/** Others, such as `type`, match every status. */
const exact: ReadonlySet<unknown> = new Set(['statusCode', 'status-code', 'equality']);

/** A status that may have any value is not an expectation. */
export const looseStatuses = (interaction: Interaction): string[] =>
  rulesOf(interaction).some((rule) => !exact.has(field(rule, 'match')))
    ? ['response.matchingRules lets any status be right: name one, or use statusCode']
    : [];

/**
 * Whether a 401 would be right, also as one of several statuses, so that it must be about the token. The token
 * endpoint needs none: a run begins only after it has admitted valid credentials.
 * @param path the requested one, if it is not the example
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
