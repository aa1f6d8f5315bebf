import { expect, test } from '@playwright/test';
import type { Answer } from '../../contract/http/answer.ts';
import { answer, context, refusal, widgets } from './answers.ts';

const usual = answer(200, widgets);
const head = { line: 'HEAD /public-api/v1/widgets', type: 'application/json' };
const preflight = answer(204, '', { line: 'OPTIONS /public-api/v1/widgets' });
const spaced = answer(200, '{ }');
const page = answer(200, 'page', { type: 'text/html' });

/** The answers to a bypass with a valid token and without one, and the endpoint's own where it is not `usual`. */
type Ways = readonly [what: string, control: Answer, around: Answer, authorised?: Answer][];

const breaches: Ways = [
  ['the same body', usual, answer(200, widgets)],
  ['another body of the same form', usual, answer(200, { ...widgets, data: [3] })],
  ['the same page', page, page, page],
  ['nothing, as the endpoint itself', answer(204), answer(204), answer(204)],
  ['HEAD as the endpoint would', answer(200, '', head), answer(200, '', head)],
];

const harmless: Ways = [
  ['a 401', usual, answer(401, refusal)],
  ['a 404', usual, answer(404, refusal)],
  ['200 around a refusal', usual, answer(200, { ...refusal, data: null })],
  ['another success', usual, answer(201, widgets)],
  ['another media type', usual, answer(200, widgets, { type: 'text/plain' })],
  ['a body of another form', usual, answer(200, { hello: 'world' })],
  ['a way that leads nowhere with a token', answer(404), answer(200, widgets)],
  ['a way that leads elsewhere with a token', answer(200, { all: 1 }), answer(200, widgets)],
  ['an endpoint that does not succeed straight', answer(404), answer(404), answer(404)],
  ['an empty answer to OPTIONS, which is a preflight', preflight, preflight, answer(204)],
  ['an object without members, which says nothing', spaced, answer(200, '{}'), spaced],
  ['HEAD without a media type', answer(200, '', head), answer(200, '', { line: head.line })],
];

/** The clauses and reasons of the findings about a bypass. */
function judged(control: Answer, around: Answer, authorised = usual) {
  const [judge, { findings, unproven }] = context();
  judge.shut(around, 'BEARER-2', { control, authorised, reason: 'the path is spelt otherwise' });
  expect(unproven).toBeUndefined();
  return findings.map(({ clause, when }) => `${clause} ${when}`);
}

for (const [what, ...answers] of breaches)
  test(`${what} is reported as a breach`, () => {
    expect(judged(...answers)).toEqual(['BEARER-2 the path is spelt otherwise']);
  });

for (const [what, ...answers] of harmless)
  test(`${what} is not a breach`, () => {
    expect(judged(...answers)).toEqual([]);
  });
