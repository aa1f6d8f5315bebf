import { expect, test } from '@playwright/test';
import type { Answer } from '../../contract/http/answer.ts';
import { difference } from '../../contract/judge/sameness.ts';
import { answer, refusal } from './answers.ts';

type Kind = 'missing' | 'invalid';

/** The difference between two kinds of 401, and how many requests the comparison took. */
async function compare(
  reply: (kind: Kind, turn: number) => unknown,
  compared: 'values' | 'names' = 'values',
  spread?: (look: number) => unknown,
): Promise<{ differs: string | undefined; requests: number }> {
  let turn = 0;
  const answering = (kind: Kind) => async (): Promise<Answer> => {
    const body = reply(kind, turn++);
    return typeof body === 'number' ? answer(body) : answer(401, body);
  };
  let look = 0;
  const spreading = spread && (async () => answer(401, spread(look++)));
  const unequal = await difference(answering('missing'), answering('invalid'), compared, spreading);
  return { differs: unequal?.message, requests: turn };
}

test('two identical refusals take two requests', async () => {
  expect(await compare(() => refusal)).toEqual({ requests: 2 });
  expect(await compare((kind) => ({ ...refusal, path: kind }), 'names')).toEqual({ requests: 2 });
});

test('a member that the cause explains is reported', async () => {
  const code = (kind: Kind) => ({ ...refusal, code: kind });
  expect((await compare(code)).differs).toBe('code differs');
  const { differs } = await compare((kind) => ({ ...refusal, message: kind }), 'names');
  expect(differs).toBe('message differs');
});

test('a member that the cause explains is reported beside members that it does not explain', async () => {
  const both = (kind: Kind, turn: number) => ({ ...refusal, id: turn, code: kind });
  expect((await compare(both)).differs).toBe('code differs');
  const inside = (kind: Kind, turn: number) => ({ ...refusal, id: turn, error: { code: kind } });
  expect((await compare(inside)).differs).toBe('error differs');
});

test('an identifier of the request is not reported, and takes six requests at most', async () => {
  const { differs, requests } = await compare((_kind, turn) => ({ ...refusal, id: turn }));
  expect(differs).toBeUndefined();
  expect(requests).toBeLessThanOrEqual(6);
});

test('a time is not reported, however many requests share it', async () => {
  for (let shared = 1; shared <= 12; shared++)
    for (let first = 0; first < shared; first++) {
      const at = (turn: number) => Math.floor((turn + first) / shared);
      const time = (_kind: Kind, turn: number) => ({ ...refusal, at: at(turn) });
      expect((await compare(time)).differs, `${shared} from ${first}`).toBeUndefined();
    }
});

test('the name of one of several servers that take turns is not reported', async () => {
  const reported: string[] = [];
  for (let servers = 2; servers <= 8; servers++)
    for (let turns = 1; turns <= 4; turns++)
      for (let first = 0; first < servers * turns; first++) {
        const node = (turn: number) => Math.floor((turn + first) / turns) % servers;
        const named = (_kind: Kind, turn: number) => ({ ...refusal, node: node(turn) });
        if ((await compare(named)).differs !== undefined)
          reported.push(`${servers}, ${turns} each`);
      }
  expect(reported).toEqual([]);
});

test('the name of one of many servers that are chosen by a header or a connection is not reported', async () => {
  const of = (node: number) => ({ ...refusal, node });
  const byKind = (kind: Kind) => of(kind === 'missing' ? 1 : 2);
  expect((await compare(byKind, 'values', (look) => of(3 + (look % 14)))).differs).toBeUndefined();
  expect((await compare(byKind, 'values', () => of(2))).differs).toBe('node differs');
});

test('another status and a body that is not an object are not reported here', async () => {
  expect(await compare((kind) => (kind === 'missing' ? refusal : 403))).toEqual({ requests: 3 });
  expect(await compare((kind) => (kind === 'missing' ? refusal : '<p>'))).toEqual({ requests: 2 });
  expect(await compare((kind, turn) => (turn < 4 ? { code: kind } : 500))).toEqual({ requests: 6 });
});

test('an answer of a proxy in between does not end the comparison', async () => {
  for (let stray = 0; stray < 24; stray++) {
    const code = (kind: Kind, turn: number) => (turn === stray ? 404 : { ...refusal, code: kind });
    expect((await compare(code)).differs).toBe('code differs');
  }
});
