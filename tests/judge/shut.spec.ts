import { expect, test } from '@playwright/test';
import type { Answer } from '../../contract/http/answer.ts';
import { answer, context, refusal, widgets } from './answers.ts';

const authorised = answer(200, widgets);
const head = { line: 'HEAD /public-api/v1/widgets', type: 'application/json' };
const options = { line: 'OPTIONS /public-api/v1/widgets' };

/** Answers to a bypass with a valid token and without one, the endpoint's own answer, and whether it is a breach. */
const ways: [
  what: string,
  given: { control: Answer; answer: Answer; authorised?: Answer },
  hole: boolean,
][] = [
  ['the same body', { control: authorised, answer: answer(200, widgets) }, true],
  [
    'another body of the same form',
    { control: authorised, answer: answer(200, { ...widgets, data: [3] }) },
    true,
  ],
  [
    'the same page',
    {
      control: answer(200, 'page', { type: 'text/html' }),
      answer: answer(200, 'page', { type: 'text/html' }),
      authorised: answer(200, 'page', { type: 'text/html' }),
    },
    true,
  ],
  [
    'nothing, as the endpoint itself',
    { control: answer(204), answer: answer(204), authorised: answer(204) },
    true,
  ],
  [
    'HEAD as the endpoint would',
    { control: answer(200, '', head), answer: answer(200, '', head) },
    true,
  ],
  ['a 401', { control: authorised, answer: answer(401, refusal) }, false],
  ['a 404', { control: authorised, answer: answer(404, refusal) }, false],
  [
    '200 around a refusal',
    { control: authorised, answer: answer(200, { ...refusal, data: null }) },
    false,
  ],
  ['another success', { control: authorised, answer: answer(201, widgets) }, false],
  [
    'another media type',
    { control: authorised, answer: answer(200, widgets, { type: 'text/plain' }) },
    false,
  ],
  [
    'a body of another form',
    { control: authorised, answer: answer(200, { hello: 'world' }) },
    false,
  ],
  [
    'a way that leads nowhere with a token',
    { control: answer(404), answer: answer(200, widgets) },
    false,
  ],
  [
    'a way that leads elsewhere with a token',
    { control: answer(200, { all: 1 }), answer: answer(200, widgets) },
    false,
  ],
  [
    'an endpoint that does not succeed straight',
    { control: answer(404), answer: answer(404), authorised: answer(404) },
    false,
  ],
  [
    'an empty answer to OPTIONS, which is a preflight',
    {
      control: answer(204, '', options),
      answer: answer(204, '', options),
      authorised: answer(204),
    },
    false,
  ],
  [
    'an object without members, which says nothing',
    { control: answer(200, '{ }'), answer: answer(200, '{}'), authorised: answer(200, '{ }') },
    false,
  ],
  [
    'HEAD without a media type',
    { control: answer(200, '', head), answer: answer(200, '', { line: head.line }) },
    false,
  ],
];

for (const [what, given, hole] of ways)
  test(`${what} is ${hole ? 'reported as' : 'not'} a breach`, () => {
    const [judge, { findings, unproven }] = context();
    const { control, answer: around } = given;
    const reason = 'the path is spelt otherwise';
    judge.shut(around, 'BEARER-2', {
      control,
      authorised: given.authorised ?? authorised,
      reason,
    });
    expect(findings.map(({ clause, when }) => [clause, when])).toEqual(
      hole ? [['BEARER-2', reason]] : [],
    );
    expect(unproven).toBeUndefined();
  });
