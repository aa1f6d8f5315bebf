import { isEndpointAnswer } from '../contract/admission.ts';
import { bearer } from '../contract/http/client.ts';
import type { Probe } from '../contract/probe.ts';
import { days, hours } from '../contract/time/clock.ts';
import { madeUp } from '../contract/token-form.ts';

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
  async run({ service, account, endpoint, contract, clock }) {
    const first = await service.issue(account);
    const admitted = await service.call(endpoint, bearer(first));
    // Other probes report a refused token; this one only needs a control.
    if (admitted.status === 401) return contract.unproven('the token of the control was refused');
    if ((await contract.missing())?.status !== 401) return;
    const start = clock.now();
    for (const [step, offset] of offsets.entries()) {
      await clock.until(start + offset);
      const reason = `it is sent at ${new Date(clock.now()).toISOString().slice(11, 16)} UTC`;
      const unknown = bearer(madeUp(first));
      const exchanged = await contract.send(step % 2 === 0 ? {} : unknown);
      const { answer } = exchanged;
      let control = admitted;
      const isOwn = isEndpointAnswer(answer, admitted);
      if (answer.status !== 401) {
        control = await service.call(endpoint, bearer(await service.issue(account)));
        // In a maintenance window a valid token gets the same answer.
        if (!isOwn && control.status === answer.status) continue;
      }
      const broken = step % 2 === 0 ? 'BEARER-2' : 'BEARER-3';
      const clause = isOwn ? broken : 'ERROR-1';
      await contract.judgeRefusal(exchanged, clause, { control, reason });
    }
  },
};
