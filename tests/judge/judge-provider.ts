import type { ApiClient } from '../../contract/http/client.ts';
import { type Probe, stages } from '../../contract/probe.ts';
import { ProviderRound } from '../../contract/round/provider-round.ts';
import type { Target } from '../../contract/round/target.ts';
import { createRound, type Round } from '../../contract/round/verdict.ts';

/**
 * Runs probes against a provider, stage by stage, as the gate does, but without Playwright.
 * @param signal ends the round at once; the provider's clock is still released
 * @throws the reason of the signal
 */
export async function judgeProvider(
  target: Target,
  probes: readonly Probe[],
  { signal, strict }: { readonly signal?: AbortSignal; readonly strict?: boolean } = {},
): Promise<Round & { readonly scrub: ApiClient['scrub'] }> {
  const round = new ProviderRound(target, signal);
  for (const stage of stages) round.start(stage, probes);
  await round.close();
  signal?.throwIfAborted();
  return { ...createRound(round.facts, probes, target, strict), scrub: round.client.scrub };
}
