import type { Probe } from '../contract/probe.ts';
import { tokenOf } from '../contract/schema.ts';
import { type Secret, seal } from '../contract/secrets/secret.ts';

/**
 * JSON (RFC 8259) has many texts for one value: the order of members, white space and escapes mean nothing. Many
 * clients accept any type.
 */
export const anySpellingOfTheJsonGetsAToken: Probe = {
  name: 'any-spelling-of-the-json-gets-a-token',
  clauses: ['TOKEN-1', 'OPEN-4'],
  scope: 'service',
  stage: 'present',
  everySeconds: 600,
  async run({ account: { apiKey, secretKey }, contract }) {
    const turned = seal`\r\n{\t"secretKey" : ${json(secretKey)} ,\n "apiKey" : ${json(apiKey)} }\n`;
    const escaped = seal`{"apiKey":${escapes(apiKey)},"secretKey":${escapes(secretKey)}}`;
    const tokens: (Secret | undefined)[] = [];
    for (const [text, spelling, headers] of [
      [turned, 'secretKey comes first, with white space around it', {}],
      [escaped, 'each of their characters is a Unicode escape', { Accept: '*/*' }],
    ] as const) {
      const body = { type: 'application/json', text };
      const reason = `the credentials are valid, and ${spelling}`;
      tokens.push(tokenOf(await contract.issues({ body, headers }, reason)));
    }
    const [first, second] = tokens;
    if (first === undefined || second === undefined) return;
    const result = first.equals(second) ? 'may be the same' : 'differ';
    contract.observe('OPEN-4', 'two tokens in a row', result);
  },
};

const json = (secret: Secret): Secret => secret.derive((text) => JSON.stringify(text));

/** Every character as an escape of its number. */
const escapes = (secret: Secret): Secret =>
  secret.derive((text) => {
    const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
  });
