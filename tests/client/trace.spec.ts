import { widgets } from './simulated-service.ts';
import { clientOf, expect, ok, type Stage, test } from './stage.ts';

const tracesOf = ({ requests }: Stage): (string | undefined)[] =>
  requests.map((request) => /\r\ntraceparent: (\S+)\r\n/i.exec(request)?.[1]);

test('each request has a trace of its own, whose id its answer has too', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const client = clientOf(stage);
  const answers = [await client.call(widgets), await client.call(widgets)];
  for (const trace of tracesOf(stage)) expect(trace).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-00$/);
  const ids = tracesOf(stage).map((trace) => trace?.split('-')[1]);
  expect(answers.map(({ request }) => request.trace)).toEqual(ids);
  expect(new Set(ids).size).toBe(2);
});

test('a request can go without a trace, or have one that the probe gives', async ({ raise }) => {
  const stage = await raise((socket) => socket.end(ok('{}')));
  const client = clientOf(stage);
  const without = await client.call(widgets, { without: ['traceparent'] });
  const own = await client.call(widgets, { headers: { Traceparent: 'its own' } });
  const traces = stage.requests.map((request) => request.match(/^traceparent:.*$/gim));
  expect(traces).toEqual([null, ['Traceparent: its own']]);
  expect(without.request.trace).toBeUndefined();
  expect(own.request.trace).toBeUndefined();
});
