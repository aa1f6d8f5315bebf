import querystring from 'node:querystring';
import { tokenPath } from '../contract/http/request.ts';
import { field, parsedJson } from '../contract/json-value.ts';
import type { Secret } from '../contract/secrets/secret.ts';
import { leavesIn } from './exact.ts';
import { acceptsStatus, type Interaction } from './pact.ts';
import { findState } from './states.ts';

/**
 * Why a success may prove less than it seems to, or why the interaction should not be at a broker: a line for each
 * reason. It is verified all the same. No line quotes a credential.
 * @param secrets those of the settings
 */
export const findWarnings = (interaction: Interaction, secrets: readonly Secret[]): string[] => [
  ...credentialsIn(interaction, secrets),
  ...refusalWithoutCause(interaction),
  ...ignoredParameters(interaction),
];

/** Whoever reads the pact at the broker could use them. */
const credentialsIn = ({ document }: Interaction, secrets: readonly Secret[]): string[] =>
  leavesIn(document)
    .filter(({ text }) =>
      listDecodings(text).some(
        (decoded) =>
          isToken(decoded) ||
          secrets.some((secret) => secret.is((own) => decoded.split(/[\s:=&,;]+/).includes(own))),
      ),
    )
    .map(({ path }) => `${path.slice(1)} is a real credential: write a placeholder in its place`);

/** A text as it is, percent-decoded, and decoded from base64 with or without the scheme Basic. */
const listDecodings = (text: string): string[] => [
  text,
  querystring.unescape(text),
  Buffer.from(text.replace(/^Basic /i, ''), 'base64').toString(),
];

/** Whether a text holds a signed JWT. The sample of jwt.io, which many documents copy, is none. */
const isToken = (text: string): boolean =>
  Array.from(text.matchAll(/\b(eyJ[\w-]+)\.(eyJ[\w-]+)\.[\w-]{16,}/g)).some(
    ([, header = '', payload = '']) =>
      String(field(decodePart(header), 'alg') ?? 'none').toLowerCase() !== 'none' &&
      field(decodePart(payload), 'sub') !== '1234567890',
  );

const decodePart = (part: string): unknown => parsedJson(Buffer.from(part, 'base64url').toString());

/** With a state of the provider's own handler the cause is known to its team. */
const refusalWithoutCause = (interaction: Interaction): string[] =>
  interaction.path !== tokenPath &&
  acceptsStatus(interaction, 401) &&
  interaction.states.every(({ name }) => findState(name)?.gives.includes('apiKey'))
    ? [
        'a 401 is expected, and no state gives its cause: ask for a token, or for "a protected endpoint"',
      ]
    : [];

const ignoredParameters = ({ states }: Interaction): string[] =>
  states.flatMap(({ name, parameters }) => {
    const known = findState(name)?.parameters ?? Object.keys(parameters);
    return Object.keys(parameters)
      .filter((key) => !known.includes(key))
      .map((key) => `the state "${name}" takes no ${key}, so it is ignored`);
  });
