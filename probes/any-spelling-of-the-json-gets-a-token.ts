import type { Probe } from '../contract/probe.ts';
import { type Secret, seal } from '../contract/secrets/secret.ts';

/**
 * JSON (RFC 8259) has many texts for one value: the order of members, white space and escapes mean nothing. Many
 * clients accept any type.
 */
export const anySpellingOfTheJsonGetsAToken: Probe = {
  name: 'any-spelling-of-the-json-gets-a-token',
  clauses: ['TOKEN-1'],
  scope: 'service',
  stage: 'present',
  everySeconds: 600,
  async run({ service, account: { apiKey, secretKey }, judge }) {
    const ordered = seal`{"secretKey":${json(secretKey)},"apiKey":${json(apiKey)}}`;
    const spaced = seal`\r\n{\t"apiKey" : ${json(apiKey)} ,\n "secretKey" : ${json(secretKey)} }\n`;
    const written = seal`{"apiKey":${escaped(apiKey)},"secretKey":${escaped(secretKey)}}`;
    for (const [text, spelling, headers] of [
      [ordered, 'secretKey comes first', {}],
      [spaced, 'white space is around them', {}],
      [written, 'each of their characters is a Unicode escape', { Accept: '*/*' }],
    ] as const)
      judge.issued(
        await service.exchange({ type: 'application/json', text }, headers),
        `the credentials are valid, and ${spelling}`,
      );
  },
};

const json = (secret: Secret): Secret => secret.derive((text) => JSON.stringify(text));

/** Every character as an escape of its number. */
const escaped = (secret: Secret): Secret =>
  secret.derive((text) => {
    const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
    return `"${units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')}"`;
  });
