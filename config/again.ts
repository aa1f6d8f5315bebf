import { quotedWord } from '../contract/http/curl.ts';
import { settings } from './table.ts';

/** The settings of the commands that print how to repeat what they found. */
const isRead = /^(PUBLIC_API_|PACT_|(GIT_BRANCH|MONITOR_SHARD)$)/;

/**
 * The command that gets the same result, as it is called here: in a checkout, through npx, or as GitHub's action. A
 * POSIX shell needs the assignments before it: this process's variables, without `.env`, and without credentials,
 * which the command names when they are missing.
 * @param isInstalled whether the project is a package of another one
 */
export function commandAgain(
  command: 'gate' | 'probe' | 'pact:verify',
  { env = process.env, isInstalled = import.meta.url.includes('/node_modules/') } = {},
): string {
  if (command === 'gate' && env.GITHUB_ACTION_PATH) return 'with: clauses:';
  const installed = `npx public-api-contract ${command.replace(':', '-')}`;
  const assignments = settings
    .filter(({ name, isCredential }) => isRead.test(name) && !isCredential)
    .map(({ name }) => [name, env[name]?.trim() ?? ''] as const)
    .filter(([, text]) => text !== '')
    // A query may hold a credential, and the reader has set a long text.
    .map(([name, text]) =>
      /^https?:.*\?|.{121}/s.test(text) ? `${name}="$${name}"` : `${name}=${quotedWord(text)}`,
    );
  return [...assignments, isInstalled ? installed : `npm run ${command} --`].join(' ');
}
