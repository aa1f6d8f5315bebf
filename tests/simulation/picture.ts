import type { View } from './monitor.ts';

/** What a restart must not change in what is known of each target, by its name, as JSON. */
export const pictureOf = ({ targets }: View): Record<string, Record<string, unknown>> =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(targets.map(({ status, token }) => [status.target, { ...status, token }])),
    ),
  );
