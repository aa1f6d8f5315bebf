import { test as base } from '@playwright/test';
import { loadSettings } from '../config/settings.ts';
import { isSuccess, payloadMismatch } from '../contract/admission.ts';
import { type Answer, outline } from '../contract/http/answer.ts';
import { endpointName } from '../contract/http/request.ts';
import { type Api, test } from './fixtures.ts';
import { withoutStack } from './probe-tests.ts';
import { readShared, targetOfRun } from './run.ts';

/** A slow answer may be an accident; so many are not. */
const tries = 3;

/**
 * Declares a test for each thing that the targets file says of an endpoint's answer to a valid token: the schema of its
 * payload, and how long the provider may work on it. No clause is about either.
 */
export function testEndpoints(): void {
  const settings = loadSettings();
  if (settings.targets === undefined || readShared().selected !== undefined) return;
  const place = { annotation: { type: 'place', description: settings.targets } };
  for (const endpoint of targetOfRun(settings).endpoints) {
    const { unfit, slowSeconds } = endpoint;
    const name = endpointName(endpoint);
    const answers = async (api: Api): Promise<Answer> => {
      const answer = await api.call(endpoint, await api.token());
      base.skip(!isSuccess(answer.status), `the endpoint answers ${outline(answer)}`);
      return answer;
    };
    if (unfit !== undefined)
      test(`${name} answers as its schema says`, place, async ({ api }) => {
        const why = payloadMismatch(await answers(api), unfit);
        if (why !== undefined) throw withoutStack(why);
      });
    if (slowSeconds !== undefined)
      test(`${name} answers within ${slowSeconds} s`, place, async ({ api }) => {
        let fastest = Number.POSITIVE_INFINITY;
        for (let tried = 0; tried < tries && fastest > slowSeconds; tried++)
          fastest = Math.min(fastest, (await answers(api)).phases.processing);
        if (fastest > slowSeconds)
          throw withoutStack(`the fastest of ${tries} answers took ${fastest.toFixed(2)} s`);
      });
  }
}
