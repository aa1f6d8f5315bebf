import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { mustHold } from '../../contract/clauses.ts';
import { listening } from '../client/stage.ts';
import { closingLine, expect, namingWithoutClock, report, startGate, test } from './process.ts';

const ids = mustHold.map(({ id }) => id);

/** The verdict sign and clause id of each row of a table on the terminal. */
const rows = (stdout: string): string[] =>
  [...stdout.matchAll(/^ {2}(\S) ([A-Z]+-\d+) /gm)].map(([, sign, id]) => `${sign} ${id}`);

test('every clause holds on the sandbox, in the folder where the gate is started', async ({
  folder,
  gate,
}) => {
  const run = await gate([]);
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(rows(run.stdout)).toEqual(ids.map((id) => `✓ ${id}`));
  expect(closingLine(run)).toMatch(
    new RegExp(
      `^✓ Contract holds · ${ids.length} held · [\\d,]+ requests, \\d+\\.\\d+ s · sandbox$`,
    ),
  );
  expect(await readdir(folder)).toEqual(['reports']);
  const files = ['gate.html', 'gate.json', 'gate.xml', 'playwright', 'playwright-html'];
  expect(await readdir(path.join(folder, 'reports'))).toEqual(files);
  const { target, exit, clauses, requests } = JSON.parse(await report(run, 'gate.json'));
  expect({ target, exit }).toEqual({ target: 'sandbox', exit: 0 });
  expect(clauses.map(({ id, verdict }: Record<string, string>) => [id, verdict])).toEqual(
    ids.map((id) => [id, 'holds']),
  );
  expect(closingLine(run)).toContain(` ${requests.toLocaleString('en-GB')} requests`);
});

test('only the named areas, clauses and probes are judged, in either case', async ({ gate }) => {
  const run = await gate(['expiry-2', 'error', 'a-token-opens-the-endpoint', 'BEARER-4']);
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  const errors = ids.filter((id) => id.startsWith('ERROR'));
  const selected = [
    ...['TOKEN-4', 'BEARER-1', 'BEARER-2', 'BEARER-3', 'BEARER-4'],
    ...errors,
    ...['EXPIRY-1', 'EXPIRY-2', 'EXPIRY-5', 'EXPIRY-6'],
  ];
  expect(rows(run.stdout)).toEqual(selected.map((id) => `✓ ${id}`));
  expect(closingLine(run)).toMatch(
    /^✓ Contract holds as far as selected · 13 held · \d+ requests, \d+\.\d+ s · sandbox$/,
  );
});

test('--list prints what would run and sends no request', async ({ gate }) => {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  const env = namingWithoutClock(await listening(server));
  const { stdout, stderr, exit } = await gate(['--list'], env);
  expect({ stderr, exit }).toEqual({ stderr: '', exit: 0 });
  expect(stdout.match(/\b[A-Z]+-\d+/g)).toEqual(expect.arrayContaining(ids));
  expect(stdout).toMatch(
    /^every-endpoint-is-guarded {2}BEARER-1 .*BEARER-4.* {2}\(core, present\)$/m,
  );
  expect(connections).toBe(0);
  server.close();
});

const unknown: readonly [args: string[], line: string][] = [
  [
    ['BEARER', 'cookie'],
    '"cookie" is not an area (TOKEN, BEARER, ERROR, EXPIRY), a clause (TOKEN-1 …) or a probe: npm run gate -- --list shows them all',
  ],
  [
    ['EXPIRY-8\n'],
    '"EXPIRY-8\\n" is not an area (TOKEN, BEARER, ERROR, EXPIRY), a clause (TOKEN-1 …) or a probe: npm run gate -- --list shows them all',
  ],
  [
    [''],
    '"" is not an area (TOKEN, BEARER, ERROR, EXPIRY), a clause (TOKEN-1 …) or a probe: npm run gate -- --list shows them all',
  ],
  [['--lists\n'], "Unknown option '--lists\ufffd': npm run gate -- --help lists the options"],
  [['--retries', '2'], "Unknown option '--retries': npm run gate -- --help lists the options"],
  [['--grep', 'no such test'], 'No tests found'],
  [
    ['--strict=no'],
    "Option '--strict' does not take an argument: npm run gate -- --help lists the options",
  ],
];

test('an unknown option or name is one line', async ({ folder, gate }) => {
  const output = unknown.map(async ([args, line]) =>
    expect(await gate(args)).toMatchObject({ exit: 2, stdout: '', stderr: `${line}\n` }),
  );
  await Promise.all(output);
  expect(existsSync(path.join(folder, 'reports', 'gate.json'))).toBe(false);
});

test('options of Playwright select tests too, and its reporters write beside ours', async ({
  gate,
}) => {
  const run = await gate(['BEARER', '-g', 'opens|guarded', '-x', '--reporter=list']);
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(run.stdout).toMatch(/ a token opens the endpoint .* every endpoint is guarded /s);
  expect(run.stdout).toMatch(/\n {2}2 passed /);
  expect(rows(run.stdout)).toContain('✓ BEARER-2');
});

test('a closed pipe does not stop the gate', async ({ folder }) => {
  const { child, ended } = startGate(folder, ['TOKEN-4']);
  child.stdout?.destroy();
  child.stderr?.destroy();
  const run = await ended;
  expect(run).toExitWith(0);
  expect(JSON.parse(await report(run, 'gate.json')).exit).toBe(0);
});
