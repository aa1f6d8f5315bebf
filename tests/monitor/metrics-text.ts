import { spawnSync } from 'node:child_process';
import { expect } from '@playwright/test';
import { endpointName } from '../../contract/http/request.ts';
import { reasons } from '../../contract/http/unreachable.ts';
import { monitorMetrics } from '../../monitor/metrics/metrics.ts';
import type { Run } from '../../monitor/round/run.ts';
import type { MonitorView, TargetView } from '../../monitor/status/view.ts';
import { aTokenOpensTheEndpoint as control } from '../../probes/bearer.ts';
import { programPath } from '../programs.ts';
import { kept, phases, target } from './runs.ts';
import { monitorWith, now, start, statusAfter, tokenWith, viewWith } from './statuses.ts';

export const [endpoint, second] = target.endpoints.map(endpointName);

/** A passed run of the control over TLS. @param change of the run */
export function overTls(change: Partial<Run> = {}): Run {
  const tls = { earliestExpiry: start + 1_000_000 };
  const run = kept(control, { at: now - 30_000 });
  const authorised = { status: 200, isTls: true, phases };
  return { ...run, tls, clockOffsetSeconds: -1.5, authorised, ...change };
}

/** A target of which everything is known that can be known. */
export function fullTarget(change: Partial<TargetView> = {}): TargetView {
  const status = statusAfter([overTls()]);
  const { place = { probe: '', endpoint: '', at: now } } = status.places;
  const schema = { ...place, result: { outcome: 'passed', findings: [] } } as const;
  const [first] = viewWith(status).endpoints;
  const unreachable = [...reasons, 'credentials', 'address'].map((reason) => [reason, 1]);
  return viewWith(
    {
      ...status,
      clauses: { ...status.clauses, 'ERROR-3': { ...status.clauses['ERROR-3'], verdict: 'known' } },
      certificate: { earliestExpiry: start, chainExpiry: start + 2_000_000 },
      places: { ...status.places, [`the-payload-is-as-its-schema-says ${endpoint}`]: schema },
      counters: { ...status.counters, unreachable: Object.fromEntries(unreachable) },
    },
    {
      token: tokenWith(86_400),
      endpoints: first === undefined ? [] : [{ ...first, hasSchema: true }],
      ...change,
    },
  );
}

/** What a monitor of these targets exports. */
export const toMetrics = (targets: readonly TargetView[], change: Partial<MonitorView> = {}) =>
  monitorMetrics(() => monitorWith(targets, change)).text();

/** The lines of the metrics whose whole name matches, without the label `target`. */
export const samples = (text: string, name: string): string[] =>
  text
    .split('\n')
    .filter((line) => new RegExp(`^(${name})[ {]`).test(line))
    .map((line) => line.replace(/\{target="[^"]*",?/, '{').replace('{}', ''));

/** Checks that `promtool check metrics` finds nothing in a text. */
export function expectLinted(input: string): void {
  const { status, stdout, stderr } = spawnSync(programPath('promtool'), ['check', 'metrics'], {
    input,
    encoding: 'utf8',
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
}
