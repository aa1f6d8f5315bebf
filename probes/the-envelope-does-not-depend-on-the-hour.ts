import { checkEnvelope } from '../contract/attempts/envelope.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { days, hours } from '../contract/time/clock.ts';
import { madeUpLike } from '../contract/token-form.ts';

/** Every hour of a day, which other probes use too, and the same hour of every other day of the week. */
const offsets = [
  ...Array.from({ length: 24 }, (_, hour) => hours(hour)),
  ...[1, 2, 3, 4, 5, 6].map(days),
];

/** Nightly jobs, maintenance windows and business hours change the text of a refusal. */
export const theEnvelopeDoesNotDependOnTheHour: Probe = {
  name: 'the-envelope-does-not-depend-on-the-hour',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3'],
  scope: 'service',
  stage: 'simulated',
  // The token serves only as a control.
  anyAge: true,
  async run(world) {
    const { service, account, endpoint, judge, clock } = world;
    const first = await service.issue(account);
    const admitted = await service.call(endpoint, bearer(first));
    // Other probes report a refused token; this one only needs a control.
    if (admitted.status === 401) return judge.unproven('the token of the control was refused');
    const start = clock.now();
    for (const [step, offset] of offsets.entries()) {
      await clock.until(start + offset);
      const { secret } = madeUpLike(first.secret);
      const what = `it is sent at ${new Date(clock.now()).toISOString().slice(11, 16)} UTC`;
      const missing = {};
      const madeUp = bearer({ ...first, secret });
      if (step % 2 === 0 || offset >= days(1))
        await checkEnvelope(world, [[{ what, options: missing }]], admitted, 'BEARER-2');
      if (step % 2 === 1 || offset >= days(1))
        await checkEnvelope(world, [[{ what, options: madeUp }]], admitted, 'BEARER-3');
    }
  },
};
