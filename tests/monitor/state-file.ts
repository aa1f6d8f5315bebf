import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test as base, expect } from '@playwright/test';
import { openDatabase, StateOpenError } from '../../monitor/state/opening.ts';
import { openStateStore, type StateStore } from '../../monitor/state/state.ts';

/** Tests of the state get a file of their own. What they open is closed at their end. */
export const test = base.extend<{
  folder: string;
  /** A path for a state file; the file does not exist. */
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

/** The reason why a file is refused. The content of the file and of its log must not change. */
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

/** The content of a file; undefined if it is not a file. */
export function contents(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

export { expect };
