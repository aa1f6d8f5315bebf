import { EventEmitter } from 'node:events';
import { expect, test } from '@playwright/test';
import { slowReaders } from '../../monitor/web/slow-readers.ts';
import { simulatedTime } from './simulated-time.ts';

/** A connection, and the answer on it that the client has not read yet. */
function connection() {
  const outgoing = new EventEmitter();
  const destroy = (): void => {
    client.isCut = true;
    outgoing.emit('close');
  };
  const client = { isCut: false, outgoing, incoming: { socket: { destroy } } };
  return client;
}

const megabytes = (count: number): Uint8Array => new Uint8Array(count * 1024 * 1024);

function reading() {
  const time = simulatedTime();
  const readers = slowReaders(time);
  const send = (bytes: Uint8Array, client = connection()) => {
    readers.begin(client);
    readers.send(client, bytes);
    return client;
  };
  return { time, readers, send };
}

test('a client gets one answer at a time on a connection, and has 30 s to read it', async () => {
  const { time, send } = reading();
  const bytes = megabytes(1);
  const [quick, impatient, slow] = [send(bytes), send(bytes), send(bytes)];
  quick.outgoing.emit('close');
  send(bytes, quick).outgoing.emit('close');
  send(bytes, impatient);
  expect([quick.isCut, impatient.isCut, slow.isCut]).toEqual([false, true, false]);
  await time.pass(30_000);
  expect([quick.isCut, slow.isCut, time.sleepers()]).toEqual([false, true, 0]);
});

test('above the limit the readers of the oldest texts are disconnected, and none of the newest', () => {
  const { send } = reading();
  const texts = Array.from({ length: 5 }, () => megabytes(5));
  const clients = texts.flatMap((bytes) => [send(bytes), send(bytes)]);
  expect(clients.map(({ isCut }) => (isCut ? 'cut' : '')).join(' ')).toBe('cut cut cut cut      ');
  const large = megabytes(20);
  const readers = Array.from({ length: 100 }, () => send(large));
  expect(readers.some(({ isCut }) => isCut)).toBe(false);
});

test('a text that has been read, or whose client has disconnected, counts no longer', () => {
  const { readers, send } = reading();
  const staying = send(megabytes(10));
  for (let count = 0; count < 10; count += 1) {
    const gone = connection();
    readers.begin(gone);
    gone.outgoing.emit('close');
    readers.send(gone, megabytes(5));
    send(megabytes(5)).outgoing.emit('close');
  }
  expect(staying.isCut).toBe(false);
});
