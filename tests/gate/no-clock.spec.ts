import { closingLine, expect, namingWithoutClock, report, test } from './process.ts';

const why =
  "no test clock: set PUBLIC_API_CLOCK_URL or PUBLIC_API_CLOCK_FILE. The next best are the monitor's canaries, which prove EXPIRY-1, EXPIRY-2 and EXPIRY-5 in two days (npm start)";

test('only EXPIRY is unverified without a test clock, and no clause is violated', async ({
  gate,
  serve,
}) => {
  const { baseUrl, state } = await serve();
  const run = await gate(['EXPIRY', 'ERROR'], namingWithoutClock(baseUrl, state.account));
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(run.stdout.replaceAll(/\n +/g, ' ')).toContain(` ${why}\n`);
  expect(closingLine(run)).toMatch(
    /^! No clause violated .*· \d held, 7 unverified · \d+ requests, /,
  );
  const { clauses } = JSON.parse(await report(run, 'gate.json'));
  expect(
    clauses
      .filter(({ verdict }: Record<string, string>) => verdict !== 'holds')
      .map(({ id, verdict, cause, reason }: Record<string, string>) => [
        ...[id, verdict, cause, reason],
      ]),
  ).toEqual(
    [1, 2, 3, 4, 5, 6, 7].map((number) => [
      ...[`EXPIRY-${number}`, 'unverified', 'unconfigured', why],
    ]),
  );
});

test('--strict fails on unverified clauses', async ({ gate, serve }) => {
  const { baseUrl, state } = await serve();
  const run = await gate(['--strict', 'EXPIRY'], namingWithoutClock(baseUrl, state.account));
  expect(run).toMatchObject({ exit: 2, stderr: '' });
  expect(closingLine(run)).toMatch(
    /^! Not verified, which --strict refuses · 0 held, 7 unverified · \d+ requests, /,
  );
});
