import { probes } from '../../probes/index.ts';

const few = ['a-token-opens-the-endpoint', 'a-request-without-a-token-is-refused'];

/** For a targets file whose test is not about probes: most of them are off, since a busy machine would miss runs. */
export const fewProbes: Readonly<Record<string, 'off'>> = Object.fromEntries(
  probes.filter(({ name }) => !few.includes(name)).map(({ name }) => [name, 'off'] as const),
);
