import type { Secret } from '../contract/secret.ts';
import type { Service } from '../contract/service.ts';

/** Called with each token that the token endpoint gives. @param askedAt when it was requested (wall clock) */
export type OnToken = (token: Secret, sentAt: number) => void;

/** The same service, which reports each token. @param now the wall clock */
export const reportingTokens = (
  service: Service,
  onToken: OnToken,
  now: () => number,
): Service => ({
  ...service,
  async issue(account) {
    const sentAt = now();
    const token = await service.issue(account);
    onToken(token.secret, sentAt);
    return token;
  },
  connection: (use) => service.connection((one) => use(reportingTokens(one, onToken, now))),
});
