import { checkEnvelope } from '../contract/envelope-check.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { hours } from '../contract/time/clock.ts';
import { madeUpLike } from '../contract/token-form.ts';

/** Steps of seven hours reach every hour of the day and every day of the week in less than a week. */
const steps = 24;

/** Nightly jobs, maintenance windows and business hours change the text of a refusal. */
export const theEnvelopeDoesNotDependOnTheHour: Probe = {
  name: 'the-envelope-does-not-depend-on-the-hour',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3'],
  needs: 'clock',
  // A token is only its control.
  anyAge: true,
  once: true,
  async run(world) {
    const { service, account, endpoint, judge, clock } = world;
    const first = await service.issue(account);
    const admitted = await service.call(endpoint, bearer(first));
    // Other probes report a refused token; this one only needs a control.
    if (admitted.status === 401) {
      judge.unproven('the token of the control was refused');
      return;
    }
    for (let step = 0; step < steps; step++) {
      if (step > 0) await clock.pass(hours(7));
      const { secret } = madeUpLike(first.secret);
      const hour = `it is sent at ${new Date(clock.now()).toISOString().slice(11, 16)} UTC`;
      const bad = step % 2 === 1;
      const ask = bad ? bearer({ ...first, secret }) : {};
      const clause = bad ? 'BEARER-3' : 'BEARER-2';
      await checkEnvelope(world, [{ what: hour, ask }], admitted, clause);
    }
  },
};
