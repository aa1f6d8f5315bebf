import { EventEmitter } from 'node:events';
import { expect, test } from '@playwright/test';
import { answersOnTheirWay } from '../../monitor/web/answers.ts';
import { simulatedTime } from './simulated-time.ts';

class Connection extends EventEmitter {
  isDestroyed = false;

  destroy(): void {
    this.isDestroyed = true;
    this.emit('close');
  }
}

function answering(most: number) {
  const time = simulatedTime();
  const answers = answersOnTheirWay({ most, withinMs: 30_000, time });
  const begin = (socket = new Connection(), isEndless = false) => {
    const response = new EventEmitter();
    return { socket, response, answer: answers.begin(socket, response, isEndless) };
  };
  return { time, begin };
}

test('answers beyond the limit wait until another one has been read', () => {
  const { begin } = answering(3);
  const [first] = [begin(), begin(), begin()];
  expect(begin().answer).toBeUndefined();
  first?.response.emit('close');
  expect(begin().answer).toBeDefined();
  expect(begin().answer).toBeUndefined();
});

test('many requests on one connection count separately, and all end with it', () => {
  const { begin } = answering(3);
  const socket = new Connection();
  expect([begin(socket), begin(socket), begin(socket)].map(({ answer }) => !answer)).toEqual([
    false,
    false,
    false,
  ]);
  expect(begin().answer).toBeUndefined();
  socket.destroy();
  expect([begin(), begin(), begin()].every(({ answer }) => answer !== undefined)).toBe(true);
});

test('a client that does not read its answer in time is disconnected, and a stream is not', async () => {
  const { time, begin } = answering(3);
  const slow = begin();
  const stream = begin(new Connection(), true);
  const read = begin();
  read.response.emit('close');
  await time.pass(30_000);
  expect([slow, stream, read].map(({ socket }) => socket.isDestroyed)).toEqual([
    true,
    false,
    false,
  ]);
});

test('a listener for the end of an answer is called once', () => {
  const { begin } = answering(3);
  const { socket, response, answer } = begin();
  let received = 0;
  answer?.onEnd(() => {
    received += 1;
  });
  response.emit('close');
  socket.destroy();
  expect(received).toBe(1);
});

test('a connection that serves many answers keeps no state of finished ones', async () => {
  const { time, begin } = answering(3);
  const socket = new Connection();
  for (let count = 0; count < 1_000; count += 1) begin(socket).response.emit('close');
  expect([socket.listenerCount('close'), time.sleepers()]).toEqual([1, 0]);
});
