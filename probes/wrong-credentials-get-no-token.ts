import { grantsNothing } from '../contract/grants.ts';
import type { Probe } from '../contract/probe.ts';
import { type Account, Secret } from '../contract/secret.ts';

/**
 * Each half of the pair is spoilt in every way in which comparisons go wrong, while the other half stays right:
 * lookups by prefix, comparisons that stop at the shorter text, that trim, fold case, or end at a NUL.
 */
export const wrongCredentialsGetNoToken: Probe = {
  name: 'wrong-credentials-get-no-token',
  clauses: ['TOKEN-2'],
  intrusive: true,
  once: true,
  async run(world) {
    const { service, account } = world;
    const { apiKey, secretKey } = account;
    const spoilt = (half: keyof Account): Attempt[] =>
      changes.map(([how, change]) => ({
        how: `${half} is ${how}`,
        json: { ...account, [half]: account[half].derive(change) },
      }));
    const confused: Attempt[] = [
      { how: 'key and secret are swapped', json: { apiKey: secretKey, secretKey: apiKey } },
      { how: 'the API key stands in both places', json: { apiKey, secretKey: apiKey } },
      { how: 'the secret key stands in both places', json: { apiKey: secretKey, secretKey } },
      {
        how: 'both are made up',
        json: { apiKey: new Secret('no-such-key'), secretKey: new Secret('no-such-secret') },
      },
    ];
    const tryAll = async (attempts: readonly Attempt[]): Promise<void> => {
      for (const { how, json } of attempts) {
        if (json.apiKey.equals(apiKey) && json.secretKey.equals(secretKey)) continue;
        await grantsNothing(world, await service.exchange({ json }), 'TOKEN-2', how);
      }
    };
    await Promise.all([spoilt('apiKey'), spoilt('secretKey'), confused].map(tryAll));
  },
};

interface Attempt {
  readonly how: string;
  readonly json: Account;
}

const changes: readonly (readonly [string, (text: string) => string])[] = [
  ['another text', () => 'another-text-altogether'],
  ['without its last character', (text) => text.slice(0, -1)],
  ['without its first character', (text) => text.slice(1)],
  ['cut to its first half', (text) => text.slice(0, Math.ceil(text.length / 2))],
  ['cut to its first character', (text) => text.slice(0, 1)],
  ['one character longer', (text) => `${text}x`],
  ['one character longer in front', (text) => `x${text}`],
  ['changed in its last character', (text) => text.slice(0, -1) + (text.endsWith('x') ? 'y' : 'x')],
  ['in small letters', (text) => text.toLowerCase()],
  ['in capital letters', (text) => text.toUpperCase()],
  ['with a blank before it', (text) => ` ${text}`],
  ['with a blank behind it', (text) => `${text} `],
  ['with a line feed behind it', (text) => `${text}\n`],
  ['twice', (text) => text + text],
  ['ended by a NUL', (text) => `${text}\0`],
  ['ended by a NUL and more', (text) => `${text}\0more`],
];
