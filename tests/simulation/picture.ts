import type { Watch } from '../../monitor/watch.ts';

/** What is known of all targets. */
export type View = ReturnType<Watch['view']>;

/** What a restart must not change in what is known of each target, by its name, as JSON. */
export const pictureOf = ({ targets }: View): Record<string, Record<string, unknown>> =>
  JSON.parse(
    JSON.stringify(
      Object.fromEntries(targets.map(({ status, token }) => [status.target, { ...status, token }])),
    ),
  );
