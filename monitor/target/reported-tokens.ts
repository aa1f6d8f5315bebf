import type { Service } from '../../contract/http/client.ts';
import type { Secret } from '../../contract/secrets/secret.ts';

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
