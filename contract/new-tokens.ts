import type { Service } from './service.ts';

/** The token endpoint gave a token that it had given before: nobody knows how much of its 24 hours has elapsed. */
export class NotNew extends Error {
  constructor() {
    super(
      'the token endpoint gave a token again that it had given before, so its age is not known',
    );
    this.name = 'NotNew';
  }
}

/**
 * A service whose tokens are new, for probes that look at ages: some providers give a token that is still valid once
 * more, instead of another one. Its `issue` throws NotNew.
 */
export const newTokensOf = (service: Service): Service => ({
  ...service,
  async issue(account) {
    const token = await service.issue(account);
    if (token.givenBefore === true) throw new NotNew();
    return token;
  },
  connection: (use) => service.connection((one) => use(newTokensOf(one))),
});
