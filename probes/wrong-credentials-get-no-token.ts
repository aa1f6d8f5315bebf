import { ahead } from '../contract/ahead.ts';
import { wrongForms } from '../contract/attacks/credential-forms.ts';
import { answerTo, grantsNothing } from '../contract/attacks/grants.ts';
import type { Probe } from '../contract/probe.ts';
import { type Account, Secret, seal } from '../contract/secrets/secret.ts';

/**
 * Each half of the pair is changed in every way in which comparisons fail, while the other half stays right:
 * lookups by prefix, and comparisons that stop at the shorter text, normalise, decode, or accept the hash of the
 * text.
 */
export const wrongCredentialsGetNoToken: Probe = {
  name: 'wrong-credentials-get-no-token',
  clauses: ['TOKEN-2'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { account } = world;
    const { apiKey, secretKey } = account;
    const spoilt = (half: keyof Account): Attempt[] =>
      wrongForms
        .filter(({ of = half }) => of === half)
        .map(({ how, write }) => ({
          how: `${half} is ${how}`,
          json: { ...account, [half]: write(account[half]) },
        }));
    const confused: Attempt[] = [
      { how: 'key and secret are swapped', json: { apiKey: secretKey, secretKey: apiKey } },
      { how: 'the API key is in both places', json: { apiKey, secretKey: apiKey } },
      { how: 'the secret key is in both places', json: { apiKey: secretKey, secretKey } },
      {
        how: 'key and secret are both in apiKey, with a colon between',
        json: { apiKey: seal`${apiKey}:${secretKey}`, secretKey: new Secret('wrong') },
      },
      {
        how: 'the last character of the key is the first of the secret',
        json: {
          apiKey: apiKey.derive((key) => key.slice(0, -1)),
          secretKey: seal`${apiKey.derive((key) => key.slice(-1))}${secretKey}`,
        },
      },
      {
        how: 'both are made up',
        json: { apiKey: new Secret('no-such-key'), secretKey: new Secret('no-such-secret') },
      },
    ];
    const tryAll = async (attempts: readonly Attempt[]): Promise<void> => {
      const wrong = attempts.filter(
        ({ json }) => !json.apiKey.equals(apiKey) || !json.secretKey.equals(secretKey),
      );
      const answers = ahead(wrong, ({ json }) => answerTo(world, { json }));
      for await (const [{ how }, answer] of answers)
        await grantsNothing(world, answer, 'TOKEN-2', how);
    };
    await Promise.all([spoilt('apiKey'), spoilt('secretKey'), confused].map(tryAll));
  },
};

interface Attempt {
  readonly how: string;
  readonly json: Account;
}
