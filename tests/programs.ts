import { test } from '@playwright/test';
import { find, type Program, type ProgramName, programs } from '../tools/setup/programs.ts';

const found = new Map<ProgramName, string | undefined>();

/**
 * Says at the top of a file or a group that its tests need real programs. Where one is missing they are skipped,
 * with a reason that names it; under CI they fail, so that nothing goes untested unseen.
 */
export function needs(...names: readonly ProgramName[]): void {
  const reason = names
    .filter((name) => look(name) === undefined)
    .map(missing)
    .join('; ');
  if (reason === '') return;
  if (!process.env.CI) test.skip(true, reason);
  else
    test.beforeAll('look for programs', () => {
      throw new Error(reason);
    });
}

/** Where a program is. @throws when it is missing; a test that says what it needs does not get here then */
export function programPath(name: ProgramName): string {
  const at = look(name);
  if (at === undefined) throw new Error(missing(name));
  return at;
}

/** Looks once in each process. */
function look(name: ProgramName): string | undefined {
  if (!found.has(name)) found.set(name, find(program(name)));
  return found.get(name);
}

const program = (name: ProgramName): Program =>
  programs.find((one) => one.name === name) ?? programs[0];

/** `promtool is missing: npm run setup installs it (Debian: prometheus)`. */
const missing = (name: ProgramName): string =>
  `${name} is missing: npm run setup installs it (Debian: ${program(name).packages.join(' ')})`;
