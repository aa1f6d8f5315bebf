import type { Observation } from '../finding.ts';
import type { ProbeResult } from './attempt.ts';

/** The observations of a round, each fact once with all observed values; OPEN-2 comes before OPEN-10. */
export function ledger(results: readonly Pick<ProbeResult, 'observations'>[]): Observation[] {
  const observations = results.flatMap((result) => result.observations);
  const { compare } = new Intl.Collator('en', { numeric: true });
  return [...Map.groupBy(observations, ({ id, fact }) => `${id} ${fact}`).values()]
    .flatMap((same) => {
      const value = [...new Set(same.map((one) => one.value))].sort().join(', ');
      return same.slice(0, 1).map((first) => ({ ...first, value }));
    })
    .sort((one, other) => compare(one.id, other.id) || one.fact.localeCompare(other.fact));
}
