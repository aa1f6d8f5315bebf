import { expect, test } from '@playwright/test';
import type { Answer } from '../../contract/answer.ts';
import { answer, bench, refusal, widgets } from './answers.ts';

const straight = answer(200, widgets);
const head = { line: 'HEAD /public-api/v1/widgets', type: 'application/json' };
const options = { line: 'OPTIONS /public-api/v1/widgets' };

/** A way around the guard: what comes with a valid token, without one, and straight; and whether it is a hole. */
const ways: [
  what: string,
  given: { unlike: Answer; answer: Answer; straight?: Answer },
  hole: boolean,
][] = [
  ['the same body', { unlike: straight, answer: answer(200, widgets) }, true],
  [
    'another body of the same form',
    { unlike: straight, answer: answer(200, { ...widgets, data: [3] }) },
    true,
  ],
  [
    'the same page',
    {
      unlike: answer(200, 'page', { type: 'text/html' }),
      answer: answer(200, 'page', { type: 'text/html' }),
      straight: answer(200, 'page', { type: 'text/html' }),
    },
    true,
  ],
  [
    'nothing, as the endpoint itself',
    { unlike: answer(204), answer: answer(204), straight: answer(204) },
    true,
  ],
  [
    'HEAD as the endpoint would',
    { unlike: answer(200, '', head), answer: answer(200, '', head) },
    true,
  ],
  ['a 401', { unlike: straight, answer: answer(401, refusal) }, false],
  ['a 404', { unlike: straight, answer: answer(404, refusal) }, false],
  [
    '200 around a refusal',
    { unlike: straight, answer: answer(200, { ...refusal, data: null }) },
    false,
  ],
  ['another success', { unlike: straight, answer: answer(201, widgets) }, false],
  [
    'another media type',
    { unlike: straight, answer: answer(200, widgets, { type: 'text/plain' }) },
    false,
  ],
  ['a body of another form', { unlike: straight, answer: answer(200, { hello: 'world' }) }, false],
  [
    'a way that leads nowhere with a token',
    { unlike: answer(404), answer: answer(200, widgets) },
    false,
  ],
  [
    'a way that leads elsewhere with a token',
    { unlike: answer(200, { all: 1 }), answer: answer(200, widgets) },
    false,
  ],
  [
    'an endpoint that does not succeed straight',
    { unlike: answer(404), answer: answer(404), straight: answer(404) },
    false,
  ],
  [
    'an empty answer to OPTIONS, which is a preflight',
    { unlike: answer(204, '', options), answer: answer(204, '', options), straight: answer(204) },
    false,
  ],
  [
    'an object without members, which says nothing',
    { unlike: answer(200, '{ }'), answer: answer(200, '{}'), straight: answer(200, '{ }') },
    false,
  ],
  [
    'HEAD without a media type',
    { unlike: answer(200, '', head), answer: answer(200, '', { line: head.line }) },
    false,
  ],
];

for (const [what, given, hole] of ways)
  test(`${what} is ${hole ? 'a' : 'no'} way in`, () => {
    const [judge, { findings, unproven }] = bench();
    const { unlike, answer: around } = given;
    const because = 'the path is spelt otherwise';
    judge.shut(around, 'BEARER-2', { unlike, straight: given.straight ?? straight, because });
    expect(findings.map(({ clause, when }) => [clause, when])).toEqual(
      hole ? [['BEARER-2', because]] : [],
    );
    expect(unproven).toBeUndefined();
  });
