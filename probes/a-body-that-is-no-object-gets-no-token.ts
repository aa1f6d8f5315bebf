import { ahead } from '../contract/ahead.ts';
import { answerTo, grantsNothing } from '../contract/attacks/grants.ts';
import type { Body } from '../contract/http/request.ts';
import type { Probe } from '../contract/probe.ts';
import { type Secret, seal } from '../contract/secrets/secret.ts';

/** No body, invalid JSON, or JSON that is not one object. */
export const aBodyThatIsNoObjectGetsNoToken: Probe = {
  name: 'a-body-that-is-no-object-gets-no-token',
  clauses: ['TOKEN-3'],
  scope: 'service',
  stage: 'wrong-credentials',
  async run(world) {
    const { account } = world;
    const type = 'application/json';
    const bodies: readonly (readonly [string, Body | undefined])[] = [
      ['there is no body', undefined],
      ['the body is empty', { type, text: '' }],
      ['the body is no JSON', { type, text: 'apiKey and secretKey' }],
      ['the JSON ends before its end', { type, text: '{"apiKey":"a","secretKey":' }],
      ['the body is null', { json: null }],
      ['the body is true', { json: true }],
      ['the body is a number', { json: 1 }],
      ['the body is the API key', { json: account.apiKey }],
      ['the body is an empty array', { json: [] }],
      ['the body is an array of the right object', { json: [account] }],
      ['the body is an array of the right texts', { json: [account.apiKey, account.secretKey] }],
      [
        'the JSON is a string of the right JSON',
        { json: seal`{"apiKey":${json(account.apiKey)},"secretKey":${json(account.secretKey)}}` },
      ],
    ];
    const answers = ahead(bodies, ([, body]) => answerTo(world, body));
    for await (const [[how], answer] of answers) await grantsNothing(world, answer, 'TOKEN-3', how);
  },
};

const json = (secret: Secret): Secret => secret.derive((text) => JSON.stringify(text));
