import type { Answer } from '../../contract/http/answer.ts';
import { bearer } from '../../contract/http/client.ts';
import {
  bodyText,
  type CallOptions,
  type Endpoint,
  tokenPath,
} from '../../contract/http/request.ts';
import { field, parsedJson } from '../../contract/json-value.ts';
import { acceptsStatus } from '../pact.ts';
import type { Visit } from '../verification.ts';
import type { Provider } from './provider.ts';
import { issueToken } from './state-setup.ts';

/** A request to the provider. */
export interface Request {
  readonly endpoint: Endpoint;
  readonly options: CallOptions;
}

/** A Bearer token or an API key that the consumer made up: no state gave it, and so the provider does not know it. */
export function dummyIn(request: Request, { interaction, values }: Visit): string | undefined {
  if (interaction.states.some(({ name }) => name === 'credentials of nobody')) return undefined;
  const { authorization } = request.options;
  const text = isForToken(request)
    ? field(parseBody(request), 'apiKey')
    : /^Bearer (.+)$/i.exec(String(authorization))?.[1];
  if (typeof text !== 'string') return undefined;
  const given = Object.values(values).filter((value) => typeof value === 'string');
  return given.some((value) => value.length > 3 && text.includes(value)) ? undefined : text;
}

/** Whether the provider refuses a credential which the pact expects to be accepted. */
export const isRefused = ({ status }: Answer, request: Request, { interaction }: Visit): boolean =>
  isForToken(request)
    ? status >= 400 && status < 500 && interaction.status < 300
    : status === 401 && !acceptsStatus(interaction, 401);

/** What to send in place of a dummy, in words and as options of the request. */
export async function validFor(request: Request, provider: Provider) {
  if (!isForToken(request)) return ['a valid token', bearer(await issueToken(provider))] as const;
  const json = { ...Object(parseBody(request)), ...provider.account };
  return ["the account's credentials", { body: { json } }] as const;
}

/** What a reader of a failure should look at first. */
export function likelyCause(answer: Answer, request: Request, visit: Visit): string | undefined {
  const { status } = answer;
  if (status === visit.interaction.status) return undefined;
  if (status === 404) return 'nothing is there: no state has created what the request names';
  if (!isRefused(answer, request, visit)) return undefined;
  const what = isForToken(request) ? 'credentials' : 'token';
  if (visit.remarks.length > 0)
    return `the provider refuses ${what === 'token' ? 'a valid token' : 'valid credentials'} too`;
  if (what === 'token' && request.options.authorization === undefined)
    return 'the request has no Authorization: ask for the state "a valid token"';
  const dummy = dummyIn(request, visit);
  return dummy === undefined
    ? 'the provider refuses what the states gave'
    : `no state gives the ${what} ${JSON.stringify(dummy)}, and PACT_DUMMY_TOKENS is set to keep it`;
}

const isForToken = ({ endpoint }: Request): boolean => endpoint.path === tokenPath;

const parseBody = ({ options: { body } }: Request): unknown => body && parsedJson(bodyText(body));
