import { test } from '@playwright/test';
import { find, type Program, type ProgramName, programs } from '../tools/setup/programs.ts';

/**
 * Declares, at the top of a file or group, that its tests need real programs. If one is missing, they are skipped
 * with a reason that names it. Under CI they fail, so that untested code is noticed.
 */
export function needs(...names: readonly ProgramName[]): void {
  const reason = names
    .filter((name) => look(name) === undefined)
    .map(missing)
    .join('; ');
  if (reason === '') return;
  // biome-ignore lint/suspicious/noSkippedTests: npm test lists it at its end.
  if (!process.env.CI) test.skip(true, reason);
  else
    test.beforeAll('look for programs', () => {
      throw new Error(reason);
    });
}

/** The path of a program. @throws when it is missing; tests that declare it with `needs` are skipped before that */
export function programPath(name: ProgramName): string {
  const at = look(name);
  if (at === undefined) throw new Error(missing(name));
  return at;
}

/** Searches once for all processes of a run: Playwright's workers inherit the environment of the first one. */
function look(name: ProgramName): string | undefined {
  const variable = `PROGRAM_${name}`;
  process.env[variable] ??= find(program(name)) ?? '';
  return process.env[variable] || undefined;
}

const program = (name: ProgramName): Program =>
  programs.find((candidate) => candidate.name === name) ?? programs[0];

/** `promtool is missing: npm run setup installs it (Debian: prometheus)`. */
const missing = (name: ProgramName): string =>
  `${name} is missing: npm run setup installs it (Debian: ${program(name).packages.join(' ')})`;
