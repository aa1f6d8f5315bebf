import { EventEmitter } from 'node:events';
import { expect, test } from '@playwright/test';
import { SlowReaders } from '../../monitor/web/slow-readers.ts';
import { simulatedTime } from './simulated-time.ts';

/** A connection, and the answer on it that the client has not read yet. */
function connection() {
  const outgoing = new EventEmitter();
  const socket = {
    isDestroyed: false,
    destroy() {
      this.isDestroyed = true;
      outgoing.emit('close');
    },
  };
  return { incoming: { socket }, outgoing };
}

type Client = ReturnType<typeof connection>;

const isCut = ({ incoming }: Client): boolean => incoming.socket.isDestroyed;
const megabytes = (count: number): Uint8Array => new Uint8Array(count * 1024 * 1024);

function reading() {
  const time = simulatedTime();
  const readers = new SlowReaders(time);
  const send = (bytes: Uint8Array): Client => {
    const client = connection();
    readers.begin(client);
    readers.send(client, bytes);
    return client;
  };
  return { time, readers, send };
}

test('a client gets one answer at a time on a connection', () => {
  const { readers } = reading();
  const [patient, impatient] = [connection(), connection()];
  for (const client of [patient, impatient]) readers.begin(client);
  patient.outgoing.emit('close');
  for (const client of [patient, impatient]) readers.begin(client);
  expect([patient, impatient].map(isCut)).toEqual([false, true]);
});

test('a client that does not read its answer in time is disconnected', async () => {
  const { time, send } = reading();
  const [slow, quick] = [send(megabytes(1)), send(megabytes(1))];
  quick.outgoing.emit('close');
  await time.pass(30_000);
  expect([slow, quick].map(isCut)).toEqual([true, false]);
  expect(time.sleepers()).toBe(0);
});

test('the readers of the oldest texts above the limit are disconnected, and no reader of the newest is', () => {
  const { send } = reading();
  const clients = Array.from({ length: 5 }, () => {
    const bytes = megabytes(5);
    return [send(bytes), send(bytes)];
  });
  expect(clients.map((each) => each.map(isCut))).toEqual([
    [true, true],
    [true, true],
    [false, false],
    [false, false],
    [false, false],
  ]);
});

test('many readers of one large text are not disconnected', () => {
  const { send } = reading();
  const bytes = megabytes(20);
  expect(Array.from({ length: 100 }, () => send(bytes)).some(isCut)).toBe(false);
});

test('a text for a client that has disconnected meanwhile is not kept', () => {
  const { readers, send } = reading();
  const staying = send(megabytes(10));
  for (let count = 0; count < 10; count += 1) {
    const client = connection();
    readers.begin(client);
    client.incoming.socket.destroy();
    readers.send(client, megabytes(5));
  }
  expect(isCut(staying)).toBe(false);
});

test('a text that has been read counts no longer', () => {
  const { send } = reading();
  const clients = Array.from({ length: 10 }, () => {
    const client = send(megabytes(5));
    client.outgoing.emit('close');
    return client;
  });
  expect(clients.some(isCut)).toBe(false);
});
