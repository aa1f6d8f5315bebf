import { expect, test } from '@playwright/test';
import type { Measure } from '../../tools/bench/figure.ts';
import { select } from '../../tools/bench/selection.ts';

const measure = (what: string): Measure => {
  return async () => ({ what, value: '1 s' });
};
const groups = {
  gate: { sandbox: measure('sandbox'), https: measure('https') },
  monitor: { https: measure('monitor') },
};

test('a group selects all of its measures', () => {
  const { measures, unknown } = select(groups, ['monitor', 'gate']);
  expect(measures).toEqual([groups.gate.sandbox, groups.gate.https, groups.monitor.https]);
  expect(unknown).toEqual([]);
});

test('a measure is selected alone, and once', () => {
  const { measures } = select(groups, ['gate/https', 'gate/https']);
  expect(measures).toEqual([groups.gate.https]);
});

test('arguments that name no measure are unknown', () => {
  const { measures, unknown } = select(groups, ['gate/http', 'https', 'monitor/https']);
  expect(measures).toEqual([groups.monitor.https]);
  expect(unknown).toEqual(['gate/http', 'https']);
});
