import { expect, test } from '@playwright/test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { mustHold } from '../../contract/clauses.ts';
import { junitXml } from '../../contract/report/junit.ts';
import { reportOf } from '../../contract/report/report.ts';
import * as rounds from './rounds.ts';

/** An element as the parser returns it: its attributes under `:@`, its children under its name. */
type Element = Readonly<Record<string, unknown>>;

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  parseTagValue: false,
  trimValues: false,
  processEntities: true,
  htmlEntities: true,
});

const xmlOf = (round: typeof rounds.held): string => junitXml(reportOf(round, rounds.context));

function nameOf(element: Element): string {
  return Object.keys(element).find((name) => name !== ':@') ?? '';
}
function children(element: Element): Element[] {
  const inner = element[nameOf(element)];
  return Array.isArray(inner) ? inner.filter((child) => nameOf(child) !== '#text') : [];
}
function attributes(element: Element): Readonly<Record<string, string>> {
  const given = element[':@'];
  return typeof given === 'object' && given !== null
    ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
    : {};
}
function textOf(element: Element): string {
  const inner = element[nameOf(element)];
  return Array.isArray(inner) ? inner.map((child) => String(child['#text'] ?? '')).join('') : '';
}

function rootOf(xml: string): Element {
  expect(XMLValidator.validate(xml)).toBe(true);
  const root = parser.parse(xml).find((element: Element) => nameOf(element) === 'testsuites');
  if (root === undefined) throw new Error('no testsuites');
  return root;
}

const all = (element: Element): Element[] => [element, ...children(element).flatMap(all)];
const named = (element: Element, name: string): Element[] =>
  all(element).filter((one) => nameOf(one) === name);

function only(elements: readonly Element[]): Element {
  const [element] = elements;
  if (element === undefined || elements.length > 1) throw new Error(`${elements.length} elements`);
  return element;
}

/** Jenkins' junit-10.xsd: the children, the required attributes and the optional attributes of each element. */
const schema: Readonly<Record<string, readonly [string[], string[], string[]]>> = {
  testsuites: [['testsuite'], [], ['name', 'time', 'tests', 'failures', 'errors']],
  testsuite: [
    ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    ['name', 'tests', 'failures', 'errors'],
    ['time', 'skipped', 'timestamp', 'hostname', 'id', 'package', 'file', 'log', 'url', 'group'],
  ],
  testcase: [
    ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    ['name'],
    ['time', 'classname', 'group'],
  ],
  properties: [['property'], [], []],
  property: [[], ['name', 'value'], []],
  failure: [[], [], ['type', 'message']],
  error: [[], [], ['type', 'message']],
  skipped: [[], [], ['type', 'message']],
  'system-err': [[], [], []],
};

for (const [name, round] of Object.entries({
  ...rounds.all,
  'strict without a clock': rounds.strictWithoutClock,
}))
  test(`a round that is ${name} conforms to the schema of Jenkins, with sums that add up`, () => {
    const xml = xmlOf(round);
    expect(xml.match(/[^\P{C}\n]/u)).toBe(null);
    const root = rootOf(xml);
    for (const element of all(root)) {
      const [inner, required, optional] = schema[nameOf(element)] ?? [[], ['known'], []];
      expect(inner).toEqual(expect.arrayContaining(children(element).map(nameOf)));
      expect(Object.keys(attributes(element))).toEqual(expect.arrayContaining(required));
      expect([...required, ...optional]).toEqual(
        expect.arrayContaining(Object.keys(attributes(element))),
      );
    }
    for (const suite of [root, ...named(root, 'testsuite')]) {
      const { tests, failures, errors, time } = attributes(suite);
      expect(Number(tests)).toBe(named(suite, 'testcase').length);
      expect(Number(failures)).toBe(named(suite, 'failure').length);
      expect(Number(errors)).toBe(named(suite, 'error').length);
      expect(time).toMatch(/^[0-9]+\.[0-9]{3}$/);
    }
    for (const suite of named(root, 'testsuite'))
      expect(Number(attributes(suite).skipped)).toBe(named(suite, 'skipped').length);
  });

test('a suite is an area, and a case is a clause', () => {
  const root = rootOf(xmlOf(rounds.held));
  const suites = named(root, 'testsuite').map((suite) => [
    attributes(suite).name,
    named(suite, 'testcase').length,
  ]);
  expect(suites).toEqual(
    ['TOKEN', 'BEARER', 'ERROR', 'EXPIRY'].map((area) => [
      area,
      mustHold.filter(({ id }) => id.startsWith(area)).length,
    ]),
  );
  expect(attributes(named(root, 'testcase')[1] ?? {})).toEqual({
    name: 'TOKEN-2 Only a valid pair of API key and secret key gets a token',
    classname: 'TOKEN',
    time: '0.024',
  });
});

test('every suite names the target', () => {
  const suites = named(rootOf(xmlOf(rounds.held)), 'testsuite');
  for (const suite of suites)
    expect(named(suite, 'property').map(attributes)).toEqual([
      { name: 'target', value: 'https://api.example.test/v2' },
      { name: 'endpoints', value: `${rounds.onWidgets}, ${rounds.onOrders}` },
      { name: 'requests', value: '1234' },
    ]);
});

test('a violated clause is a failure with the whole failure text', () => {
  const failures = named(rootOf(xmlOf(rounds.violated)), 'failure');
  expect(failures).toHaveLength(2);
  const [bearer = {}, expiry = {}] = failures;
  expect(attributes(expiry)).toEqual({
    type: 'violated',
    message:
      'at 24 h 00 min 00.000 s after the token was made: expected 401 {"success":false,"message":"Invalid or expired access token."}, received 200 application/json, 48 bytes',
  });
  expect(textOf(expiry)).toBe(
    [
      '  at 24 h 00 min 00.000 s after the token was made',
      '  asked     GET /public-api/v1/widgets   Authorization: Bearer [secret]',
      '  expected  401 {"success":false,"message":"Invalid or expired access token."}',
      '  received  200 application/json, 48 bytes',
      '  and 1 more like this, the last at 24 h 00 min 30.000 s after the token was made',
      '  again     npm run gate -- EXPIRY-2',
    ].join('\n'),
  );
  expect(textOf(bearer).match(/the scheme is/g)).toHaveLength(6);
});

test('an unverified clause is skipped with its cause and its reason', () => {
  const skipped = named(rootOf(xmlOf(rounds.prevented)), 'skipped');
  const lacking = { type: 'unconfigured', message: `unconfigured: ${rounds.noClock}` };
  expect(skipped.map(attributes)).toEqual([
    { type: 'prevented', message: `prevented: probe-of-bearer-5: ${rounds.nothingProven}` },
    ...Array.from({ length: 7 }, () => lacking),
  ]);
});

test('the message of a failure begins with its occasion, and states its frequency', () => {
  const seen = rounds.finding('BEARER-4', rounds.onWidgets, {
    when: 'the scheme is Basic',
    seen: '1 of 3 requests',
  });
  const failure = only(
    named(rootOf(xmlOf(rounds.roundOf({ exit: 1, findings: [seen] }))), 'failure'),
  );
  expect(attributes(failure).message).toMatch(
    /^the scheme is Basic: expected 401 .*, received 200 .*, seen in 1 of 3 requests$/,
  );
  expect(textOf(failure)).toContain('\n  seen      1 of 3 requests\n');
});

test('a provider that could not be judged is an error, and is in every system-err', () => {
  const root = rootOf(xmlOf(rounds.unjudged));
  const error = only(named(root, 'error'));
  expect(attributes(error)).toEqual({ type: 'unjudged', message: rounds.unreachable });
  expect(named(root, 'system-err').map(textOf)).toEqual(
    named(root, 'testsuite').map(() => rounds.unreachable),
  );
});

test('clauses that strict mode refuses are errors, because skipped cases are green', () => {
  const error = only(named(rootOf(xmlOf(rounds.strictWithoutClock)), 'error'));
  expect(attributes(error).message).toContain('7 clauses could not be verified');
  expect(named(rootOf(xmlOf(rounds.withoutClock)), 'error')).toEqual([]);
});

test('a defect is an error with its stack', () => {
  const errors = named(rootOf(xmlOf(rounds.defective)), 'error');
  expect(errors.map((error) => attributes(error).type)).toEqual(['defect', 'defect']);
  expect(textOf(errors[0] ?? {})).toBe(rounds.stack);
});

test('hostile text stays text, and ends no element', () => {
  const root = rootOf(xmlOf(rounds.hostile));
  expect(named(root, 'failure')).toHaveLength(2);
  expect(named(root, 'script')).toEqual([]);
  const text = named(root, 'failure').map(textOf).join();
  for (const hostile of [']]><failure message="owned"/>', '<script>alert(1)</script>'])
    expect(text.includes(hostile)).toBe(true);
  expect(xmlOf(rounds.hostile).length).toBeLessThan(200_000);
});
