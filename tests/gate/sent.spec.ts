import { randomBytes } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { encodeBody, encodeRequest } from '../../contract/http/http-request.ts';
import { needsClock } from '../../contract/probe.ts';
import { probes } from '../../probes/index.ts';
import { right } from '../../sandbox/behaviour.ts';
import { sandboxInMemory } from '../faults/in-memory.ts';
import { judgeProvider } from '../judge/judge-provider.ts';

/** A short value, and one in which no long run of letters is left when its blanks are doubled. */
const account = { apiKey: 'aB3x-K9q', secretKey: 'Uß é1 ab cd ef gh ij kl' };

/** If a text has this many letters and digits of a secret in a row, whatever is between them, it reveals it. */
const revealing = 9;

/** The letters and digits of a text: without case, accents, width and separators. */
const letters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '');

/** A list of bytes as text. */
const withoutLists = (text: string): string =>
  text.replace(/\d+(?:,\d+){3,}/g, (list) => Buffer.from(list.split(',').map(Number)).toString());

/** Whether a text reveals one of the secrets. @param pieces those that reveal one, of any length */
function reveals(text: string, pieces: ReadonlyMap<number, ReadonlySet<string>>): boolean {
  for (const variant of [text, withoutLists(text)])
    for (const part of variant.split('[secret]').map(letters))
      for (const [size, those] of pieces)
        for (let at = 0; at + size <= part.length; at++)
          if (those.has(part.slice(at, at + size))) return true;
  return false;
}

/** The pieces that reveal a secret, by their length. */
function piecesOf(secrets: readonly string[]): Map<number, Set<string>> {
  const pieces = new Map<number, Set<string>>();
  for (const plain of secrets.map(letters)) {
    const size = Math.min(revealing, plain.length);
    const those = pieces.get(size) ?? new Set();
    pieces.set(size, those);
    for (let at = 0; at + size <= plain.length; at++) those.add(plain.slice(at, at + size));
  }
  return pieces;
}

/** Capitals are what is left of a text in which base64 cannot be decoded any more. */
const echoes: readonly ((text: string) => string)[] = [
  (text) => text.toUpperCase(),
  (text) => JSON.stringify(JSON.stringify(text)),
  encodeURIComponent,
];

test('whatever a probe sends shows no secret when the provider repeats it', async () => {
  const tokens: string[] = [];
  const sent = new Set<string>();
  const mint = (): string => {
    // Every third sign is one that a forgery replaces.
    const token = (randomBytes(24).toString('base64').match(/\w\w/g) ?? []).join('-');
    tokens.push(token);
    return token;
  };
  const target = sandboxInMemory({ ...right, mint }, undefined, account);
  const { exchange } = target;
  const round = await judgeProvider(
    {
      ...target,
      exchange: (connection, request, where) => {
        const { path, headers } = encodeRequest(connection.origin, request);
        const values = headers.filter(([name]) => name !== 'traceparent').map(([, value]) => value);
        for (const text of [path, `${encodeBody(request) ?? ''}`, ...values]) sent.add(text);
        return exchange?.(connection, request, where) ?? Promise.reject(new Error('no network'));
      },
    },
    probes.filter((probe) => !needsClock(probe)),
  );
  expect(round.exit).toBe(0);
  expect(sent.size).toBeGreaterThan(500);
  const pieces = piecesOf([...Object.values(account), ...tokens]);
  const shown = [...sent].flatMap((text) =>
    (text.match(/.{1,400}/gs) ?? []).flatMap((part) =>
      echoes.map((echo) => round.scrub(echo(part))).filter((clean) => reveals(clean, pieces)),
    ),
  );
  expect(shown).toEqual([]);
});
