import { expect } from '@playwright/test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';

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

function nameOf(element: Element): string {
  return Object.keys(element).find((name) => name !== ':@') ?? '';
}
function children(element: Element): Element[] {
  const inner = element[nameOf(element)];
  return Array.isArray(inner) ? inner.filter((child) => nameOf(child) !== '#text') : [];
}
export function attributes(element: Element): Readonly<Record<string, string>> {
  const given = element[':@'];
  return typeof given === 'object' && given !== null
    ? Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]))
    : {};
}
export function textOf(element: Element): string {
  const inner = element[nameOf(element)];
  return Array.isArray(inner) ? inner.map((child) => String(child['#text'] ?? '')).join('') : '';
}

export function rootOf(xml: string): Element {
  expect(XMLValidator.validate(xml)).toBe(true);
  const root = parser.parse(xml).find((element: Element) => nameOf(element) === 'testsuites');
  if (root === undefined) throw new Error('no testsuites');
  return root;
}

const all = (element: Element): Element[] => [element, ...children(element).flatMap(all)];
export const named = (element: Element, name: string): Element[] =>
  all(element).filter((child) => nameOf(child) === name);

export function only(elements: readonly Element[]): Element {
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

/** Checks that a report conforms to that schema, and that its sums add up. */
export function checkJunit(xml: string): void {
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
    const { tests, failures, errors } = attributes(suite);
    expect(Number(tests)).toBe(named(suite, 'testcase').length);
    expect(Number(failures)).toBe(named(suite, 'failure').length);
    expect(Number(errors)).toBe(named(suite, 'error').length);
  }
  for (const suite of named(root, 'testsuite'))
    expect(Number(attributes(suite).skipped)).toBe(named(suite, 'skipped').length);
}
