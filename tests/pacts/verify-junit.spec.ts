import { expect, test } from '@playwright/test';
import { junitXml } from '../../contract/report/junit.ts';
import { reportOf } from '../../pacts/verify/report/forms.ts';
import { faulty } from '../faults/index.ts';
import { attributes, checkJunit, named, only, rootOf, textOf } from '../report/junit-reading.ts';
import { reported } from './reporting.ts';
import {
  aged,
  callWithToken,
  pactOf,
  pending,
  sourceOf,
  verifying,
  withoutClock,
} from './verifying.ts';

const expired = callWithToken('an expired token', [aged(24)], { status: 401 });
const pact = pactOf(callWithToken(), expired);
const leeway = { provider: faulty('leeway-of-a-second') };
const missingState = pactOf(callWithToken('<"a call">', ['a lost token'], { status: 401 }));

function rootOfReport(...report: Parameters<typeof reported>) {
  const xml = junitXml(reportOf(reported(...report)));
  checkJunit(xml);
  return rootOf(xml);
}

test('a suite is a pact, and a case is an interaction with its states', async () => {
  const root = rootOfReport(await verifying([pact, pactOf(callWithToken('another'))]));
  expect(named(root, 'testsuite').map((suite) => attributes(suite).name)).toEqual([
    'a-consumer  a test',
    'a-consumer  a test',
  ]);
  expect(named(root, 'testcase').map(attributes)).toEqual([
    { name: 'a call, given a valid token', classname: 'a-consumer', time: '0.000' },
    {
      name: 'an expired token, given a token made some hours ago (hours 24)',
      classname: 'a-consumer',
      time: '0.000',
    },
    { name: 'another, given a valid token', classname: 'a-consumer', time: '0.000' },
  ]);
  expect(attributes(root)).toMatchObject({ tests: '3', failures: '0', errors: '0', time: '1.234' });
  expect(named(root, 'property').slice(0, 1).map(attributes)).toEqual([
    { name: 'target', value: 'the provider' },
  ]);
});

test('a failed interaction is a failure with the whole text, unless it is pending', async () => {
  const failure = only(named(rootOfReport(await verifying(pact, leeway)), 'failure'));
  expect(attributes(failure)).toEqual({
    type: 'violated',
    message: 'the status: expected 401 but was 200',
  });
  expect(textOf(failure)).toContain("again     npm run pact:verify -- --interaction 'an expired");
  const waiting = rootOfReport(await verifying(pending(pact), leeway));
  expect(named(waiting, 'failure')).toEqual([]);
  expect(attributes(only(named(waiting, 'skipped')))).toEqual({
    type: 'pending',
    message: 'pending: the status: expected 401 but was 200',
  });
});

test('an unverified interaction is skipped, and what makes the run fail is an error', async () => {
  const timeless = await verifying(pact, { aim: withoutClock });
  const root = rootOfReport(timeless);
  expect(attributes(only(named(root, 'skipped'))).message).toContain('no test clock');
  expect(named(root, 'error')).toEqual([]);
  const strict = only(named(rootOfReport(timeless, { exit: 2 }), 'error'));
  expect(attributes(strict)).toEqual({
    type: 'unverified',
    message: expect.stringContaining('Not everything could be verified: no test clock'),
  });
  const unpublished = rootOfReport(timeless, { exit: 2, unpublished: true });
  expect(attributes(only(named(unpublished, 'error'))).message).toBe(
    'A result is not in the broker',
  );
});

test('a provider that could not be judged is an error, and so is a defect', async () => {
  const unjudged = rootOfReport(await verifying(missingState));
  expect(attributes(only(named(unjudged, 'error')))).toMatchObject({ type: 'unverified' });
  expect(attributes(only(named(unjudged, 'testcase').slice(0, 1))).name).toBe(
    '<"a call">, given a lost token',
  );
  const onVisit = () => {
    throw new Error('this state is broken');
  };
  const broken = rootOfReport(await verifying(pact, { isDefective: true, onVisit }));
  const error = only(named(broken, 'error'));
  expect(attributes(error)).toMatchObject({ type: 'defect' });
  expect(textOf(error)).toContain('Error: this state is broken\n');
});

test('a pact that cannot be read is an error, unless it is pending', async () => {
  const unread = sourceOf('{}');
  const why = 'Not everything could be verified: it names no consumer: consumer.name is missing';
  const error = only(named(rootOfReport(await verifying([pact, unread])), 'error'));
  expect(attributes(error)).toEqual({ type: 'unverified', message: why });
  expect(named(rootOfReport(await verifying([pact, pending(unread)])), 'error')).toEqual([]);
});
