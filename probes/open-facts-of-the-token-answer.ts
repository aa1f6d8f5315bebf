import { header, jsonOf } from '../contract/http/answer.ts';
import { field, isObject } from '../contract/json-value.ts';
import type { Probe } from '../contract/probe.ts';
import { tokenOf } from '../contract/schema.ts';
import { formOf } from '../contract/token-form.ts';

/** Nothing is judged here, but a change is worth a report. */
export const openFactsOfTheTokenAnswer: Probe = {
  name: 'open-facts-of-the-token-answer',
  clauses: ['OPEN-1', 'OPEN-3', 'OPEN-4', 'OPEN-5'],
  scope: 'service',
  stage: 'present',
  everySeconds: 600,
  async run({ service, account: { apiKey, secretKey }, judge }) {
    const answer = await service.exchange({ json: { apiKey, secretKey } });
    const again = await service.exchange({ json: { apiKey, secretKey } });
    const token = tokenOf(answer);
    const other = tokenOf(again);
    judge.observe('OPEN-1', 'status of a token response', String(answer.status));
    if (token !== undefined) judge.observe('OPEN-4', 'form of the token', formOf(token));
    if (token !== undefined && other !== undefined) {
      const result = token.equals(other) ? 'may be the same' : 'differ';
      judge.observe('OPEN-4', 'two tokens in a row', result);
    }
    const json = jsonOf(answer);
    const body = json.is === 'json' && isObject(json.value) ? json.value : {};
    const data = field(body, 'data');
    const known = new Set(['success', 'message', 'data', 'accessToken']);
    const further = [...Object.keys(body), ...(isObject(data) ? Object.keys(data) : [])].filter(
      (name) => !known.has(name),
    );
    judge.observe('OPEN-3', 'message of a token response', String(JSON.stringify(body.message)));
    const fields = further.sort().join(', ') || 'none';
    judge.observe('OPEN-3', 'further fields of a token response', fields);
    const type = header(answer, 'content-type') ?? 'none';
    judge.observe('OPEN-5', 'content type of a token response', type);
    const caching = header(answer, 'cache-control') ?? 'not said';
    judge.observe('OPEN-5', 'caching of a token response', caching);
  },
};
