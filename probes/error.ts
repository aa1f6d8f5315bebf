import { isEndpointAnswer } from '../contract/admission.ts';
import { described } from '../contract/attempts/deviation.ts';
import { checkEnvelope, isEnvelope } from '../contract/attempts/refusals.ts';
import { spoilt } from '../contract/attempts/tokens.ts';
import { badTokens, variationsOf } from '../contract/attempts/variations.ts';
import type { MustId } from '../contract/clauses.ts';
import { bearer, under } from '../contract/http/client.ts';
import { type CallOptions, endpointName, hasBody } from '../contract/http/request.ts';
import { difference, refusesAlike } from '../contract/judge/sameness.ts';
import { daily, onceADay, type Probe } from '../contract/probe.ts';
import type { Token } from '../contract/secrets/secret.ts';
import { days, hours } from '../contract/time/clock.ts';
import { madeUp } from '../contract/token-form.ts';

/** If the answer distinguishes a missing token from a wrong one, attackers learn how far they got. */
export const everyCauseGetsTheSame401: Probe = {
  name: 'every-cause-gets-the-same-401',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3', 'ERROR-4'],
  ...onceADay,
  async run(world) {
    const { service, account, endpoints, contract } = world;
    if (!endpoints.some(hasBody))
      contract.unproven('the answers to HEAD have no body: name an endpoint of another method');
    const token = await service.issue(account);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    for (const [reason, clause, options] of contract.partOf(causes(token), () => 2)) {
      const contrast = { control, reason };
      await refusesAlike(world, token, contrast, () =>
        contract.refuses(options(), clause, contrast),
      );
    }
  },
};

/** Requests without a valid token, which guards and libraries refuse in different code. */
const causes = (
  token: Token,
  { how, token: other } = spoilt(token),
): readonly (readonly [reason: string, clause: MustId, options: () => CallOptions])[] => [
  // A different token each time, because a load balancer may choose the server by the header.
  ['the token is made up', 'BEARER-3', () => bearer(madeUp(token))],
  ['the scheme is Basic', 'BEARER-4', () => under('Basic', token)],
  ['nothing follows the scheme', 'BEARER-2', () => ({ authorization: 'Bearer' })],
  ['the token has no scheme', 'BEARER-4', () => ({ authorization: token.secret, token })],
  ['the scheme is Token', 'BEARER-4', () => under('Token', token)],
  [`the token is ${how}`, 'BEARER-3', () => bearer(other)],
];

/** One guard for all endpoints and methods gives one answer; different answers come from duplicated code. */
export const everyEndpointGetsTheSame401: Probe = {
  name: 'every-endpoint-gets-the-same-401',
  clauses: ['ERROR-4'],
  scope: 'service',
  stage: 'present',
  everySeconds: daily,
  async run({ endpoint, endpoints, contract }) {
    const [first = endpoint, ...others] = endpoints.filter(hasBody);
    // With one endpoint there is nothing to compare, but a run without a request would pass in an outage.
    if (others.length === 0 && (await contract.missing({ to: first })) === undefined)
      await contract.send({ to: first });
    for (const to of contract.partOf(others, () => 2)) {
      const unequal = await difference(
        () => contract.missing({ to: first }),
        () => contract.missing({ to }),
        'names',
      );
      if (unequal === undefined) continue;
      contract.violated('ERROR-4', unequal.answer, {
        reason: `the endpoint is ${endpointName(to)}`,
        expected: `the same answer as at ${endpointName(first)}`,
        received: unequal.message,
      });
    }
  },
};

/**
 * Frameworks answer some requests before the guard, or instead of it: with a login page for browsers, another language,
 * a 304 to a client with a copy, or a crash on an unusual token.
 */
export const theEnvelopeDoesNotDependOnTheRequest: Probe = {
  name: 'the-envelope-does-not-depend-on-the-request',
  clauses: ['ERROR-1', 'ERROR-2', 'ERROR-3'],
  scope: 'deep',
  stage: 'disturbing',
  everySeconds: daily,
  anyToken: true,
  async run(world) {
    const { service, account, endpoint, contract } = world;
    const token = await service.issue(account);
    const control = await contract.admits(bearer(token), 'BEARER-1');
    const plain = await contract.missing({}, { control, reason: 'it is not authorised' });
    if (plain?.status !== 401) return;
    const admitted = { token, control };
    const variations = contract.partOf(variationsOf(endpoint, control));
    const answers = await checkEnvelope(world, variations, admitted, 'BEARER-2');
    const carriers = [...answers].flatMap(([variation, answer]) =>
      isEnvelope(answer) && !described(variation).includes('method') ? [variation] : [],
    );
    const carried = contract
      .partOf(badTokens)
      .map((badToken, index) => [...(carriers[index % carriers.length] ?? []), badToken]);
    await checkEnvelope(world, carried, admitted, 'BEARER-3');
  },
};

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
