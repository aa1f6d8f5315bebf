import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import { openDatabase, StateOpenError } from '../../monitor/state/opening.ts';
import { openStateStore, type StateStore } from '../../monitor/state/state.ts';

/** Tests of the state have a file of their own, and what they open is closed in the end. */
export const test = base.extend<{
  folder: string;
  /** Where a state file may be; none is there. */
  file: string;
  open: (file?: string) => StateStore;
}>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from it.
  folder: async ({}, use) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'state-'));
    await use(folder);
    rmSync(folder, { recursive: true });
  },
  file: async ({ folder }, use) => {
    await use(path.join(folder, 'monitor.sqlite'));
  },
  open: async ({ file }, use) => {
    const opened: StateStore[] = [];
    await use((other = file) => {
      const state = openStateStore(other);
      opened.push(state);
      return state;
    });
    for (const state of opened) state.close();
  },
});

/** The line that says why a file is refused. What the file holds, and its log, must be as before. */
export function refusal(file: string, steps?: readonly string[]): string {
  const before = contents(file);
  try {
    openDatabase(file, steps).close();
  } catch (error) {
    if (!(error instanceof StateOpenError)) throw error;
    expect(contents(file)).toEqual(before);
    return error.message.replaceAll(path.dirname(file), '');
  }
  throw new Error('it was opened');
}

/** Nothing for what is no file. */
export function contents(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

export { expect };
