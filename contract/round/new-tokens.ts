import type { Service } from '../http/client.ts';
import type { World } from '../probe.ts';
import { type Clock, lifetime } from '../time/clock.ts';

/** The token endpoint repeated a token, and the probe cannot continue with that one. */
export class TokenReusedError extends Error {
  override readonly name = 'TokenReusedError';
}

/**
 * The service and the clock of a probe that measures ages. A provider may repeat a token that is still valid
 * (OPEN-4), and its age is known from its first issue. `issue` throws TokenReusedError for a token whose 24 hours
 * have elapsed, because only a probe with `anyAge` judges that. `until` throws it if a token was repeated and the
 * instant has already passed.
 */
export function newTokensOf(client: Service, clock: Clock): Pick<World, 'service' | 'clock'> {
  let hasRepeated = false;
  const serviceOver = (service: Service): Service => ({
    ...service,
    async issue(account) {
      const token = await service.issue(account);
      if (clock.now() - token.madeAt >= lifetime)
        throw new TokenReusedError(
          'the token endpoint gave a token again although 24 hours had elapsed since it was first given',
        );
      hasRepeated ||= token.issuedBefore === true;
      return token;
    },
    connection: (use, sharing) => service.connection((one) => use(serviceOver(one)), sharing),
  });
  const clockOver = (own: Clock): Clock => ({
    now: own.now,
    pass: (ms) => own.pass(ms),
    async until(instant) {
      if (hasRepeated && instant < own.now())
        throw new TokenReusedError(
          'the token endpoint gave an older token again instead of a new one',
        );
      await own.until(instant);
    },
    together: (sequences) => own.together(sequences.map((run) => (each) => run(clockOver(each)))),
  });
  return { service: serviceOver(client), clock: clockOver(clock) };
}
