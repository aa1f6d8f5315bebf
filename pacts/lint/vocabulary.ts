import { isHeaderName } from '../../contract/http/http-request.ts';
import { at, isObject } from '../../contract/json-value.ts';
import type { Interaction } from '../pact.ts';
import { generatorsOf, matchersOf, sides } from './place.ts';

/** The matching rules of Pact's core up to version 4 of the specification, in each of their spellings. */
const matchers = new Set(
  `type regex integer decimal real number equality include null boolean date time timestamp datetime values min max
  min-type max-type statusCode status-code contentType content-type notEmpty not-empty semver arrayContains
  array-contains eachKey each-key eachValue each-value`.split(/\s+/),
);

/** Before version 3, rules with these keys may omit their type. */
const unnamed = ['regex', 'min', 'max', 'date', 'time', 'timestamp'];

type Check = (value: unknown) => boolean;

const isText: Check = (value) => typeof value === 'string';
const isFull: Check = (value) => Array.isArray(value) && value.length > 0;
const isCount: Check = (value) => Number.isInteger(value) && Number(value) >= 0;
const isStatus: Check = (value) =>
  Array.isArray(value) ? isFull(value) && value.every(isCount) : statusWords.has(String(value));

const statusWords = new Set(
  'info success redirect clientError serverError nonError error'.split(' '),
);

/** The required parts of a rule: without them the core cannot read a pact, or ignores the rule. */
const needs: Readonly<Record<string, readonly [key: string, check: Check]>> = {
  regex: ['regex', isText],
  include: ['value', isText],
  contenttype: ['value', isText],
  statuscode: ['status', isStatus],
  eachkey: ['rules', isFull],
  eachvalue: ['rules', isFull],
  arraycontains: ['variants', isFull],
};

const generators = new Set(
  `ProviderState RandomInt RandomDecimal RandomHexadecimal RandomString RandomBoolean Regex Uuid Date Time DateTime
  MockServerURL`.split(/\s+/),
);

/** The core guesses at an unknown rule, or ignores it. */
export const unknownMatchers = (interaction: Interaction): string[] =>
  sides.flatMap((side) =>
    matchersOf(interaction, side)
      .flatMap(({ document }) => rulesIn(document))
      .flatMap((rule) => {
        if (!isKnown(rule)) return [`${side}.matchingRules has ${name(rule, 'match')}: ${remedy}`];
        const mistake = mistakeIn(rule);
        return mistake === undefined ? [] : [`${side}.matchingRules has ${mistake}: write one`];
      }),
  );

/** The mistakes in a known rule. A limit that is not a number would limit nothing. */
function mistakeIn(rule: unknown): string | undefined {
  if (!isObject(rule)) return undefined;
  const { match, min, max } = rule;
  const [key, check] = needs[String(match).replace('-', '').toLowerCase()] ?? [];
  if (key !== undefined && check?.(rule[key]) === false) return `a rule "${match}" without ${key}`;
  const bounds = [min ?? 0, max ?? 0];
  return bounds.every(isCount) ? undefined : 'a bound that is no whole number';
}

const remedy = 'use one that Pact knows up to version 4 of its specification';

const isKnown = (rule: unknown): boolean =>
  isObject(rule) &&
  (typeof rule.match === 'string' ? matchers.has(rule.match) : unnamed.some((key) => key in rule));

const name = (rule: unknown, key: string): string =>
  isObject(rule) && key in rule
    ? `an unknown ${key} ${JSON.stringify(rule[key])}`
    : `a rule without a "${key}"`;

/** A rule, and its rules for keys, values and variants. */
function rulesIn(rule: unknown): unknown[] {
  if (!isObject(rule)) return [rule];
  const variants = Array.isArray(rule.variants) ? rule.variants : [];
  return [
    rule,
    ...(Array.isArray(rule.rules) ? rule.rules : []).flatMap(rulesIn),
    ...variants.flatMap((variant) => matchersInside(isObject(variant) ? variant.rules : undefined)),
  ];
}

const matchersInside = (rules: unknown): unknown[] =>
  Object.values(isObject(rules) ? rules : {})
    .flatMap((one) => (isObject(one) && Array.isArray(one.matchers) ? one.matchers : [one]))
    .flatMap(rulesIn);

/** The core ignores an unknown generator. */
export const unknownGenerators = (interaction: Interaction): string[] =>
  sides.flatMap((side) =>
    generatorsOf(interaction, side)
      .filter(({ document }) => !generators.has(typeOf(document)))
      .map(({ document }) => `${side}.generators has ${name(document, 'type')}: ${remedy}`),
  );

/** Paths in a body that the core cannot read, so that it cannot read the pact: such as `$..a` and `$.a[-1]`. */
export const unreadablePaths = ({ document }: Interaction): string[] =>
  sides.flatMap((side) =>
    ['matchingRules', 'generators'].flatMap((key) => {
      const all = Object(at(document, side, key));
      return [...Object.keys(Object(all.body)), ...Object.keys(all).filter(isPathOfBody)]
        .filter(isUnreadable)
        .map((path) => `${side}.${key} has the path ${path}, which Pact cannot read: correct it`);
    }),
  );

/** Before version 3 one path contains everything. */
const isPathOfBody = (path: string): boolean => path.startsWith('$.body');

/** Each step is a name or `*` behind a dot, or an index, `*` or a quoted name in brackets. */
const isUnreadable = (path: string): boolean =>
  !/^\$?(?:(?:^|\.)[^\s.[\]'$]+|\[(?:\d+|\*|'[^']+')\])*$/.test(path);

/** The core sends a generated header under the name that the generator has, even if that holds an index. */
export const unsendableHeaders = ({ document }: Interaction): string[] =>
  Object.keys(Object(at(document, 'request', 'generators', 'header')))
    .filter((header) => !isHeaderName(header))
    .map(
      (header) =>
        `request.generators has the header ${JSON.stringify(header)}, which Pact cannot send: write its name only`,
    );

/** Generators that send a different value in each run, so a failure may not be reproducible. */
export const randomValues = (interaction: Interaction): string[] =>
  generatorsOf(interaction, 'request')
    .map(({ document }) => typeOf(document))
    .filter((type) => generators.has(type) && type !== 'ProviderState')
    .map(
      (type) =>
        `request.generators has ${type}, which sends another value each time: give an example`,
    );

const typeOf = (document: unknown): string =>
  isObject(document) && typeof document.type === 'string' ? document.type : '';
