import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from '@playwright/test';

/** The violations that axe reports, one line each. */
export async function objections(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page })
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html}: ${failureSummary}`),
  );
}
