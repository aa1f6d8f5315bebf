import { test as base, expect as baseExpect } from '@playwright/test';
import { printedSecrets, type Ran } from './process.ts';

/** For tests that start programs: each fails if one of them has printed a secret. */
export const test = base.extend<{ printed: undefined }>({
  printed: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
    async ({}, use) => {
      await use(undefined);
      expect(printedSecrets()).toEqual([]);
    },
    { auto: true, box: true },
  ],
});

export const expect = baseExpect.extend({
  /** Passes if a program ended with this exit code. A failure shows what it printed. */
  toExitWith({ exit, stdout, stderr }: Ran, code: number) {
    const message = () =>
      `The exit code is ${exit}, expected is ${this.isNot ? 'another' : code}\n${stdout}\n${stderr}`;
    return { pass: exit === code, message };
  },
});
