import { quotedWord } from '../contract/http/curl.ts';
import { settings } from './table.ts';

/** The commands that print how to repeat what they found, and the settings that they read. */
const reads = {
  gate: /^PUBLIC_API_/,
  probe: /^(PUBLIC_API_|MONITOR_SHARD$)/,
  'pact:verify': /^(PUBLIC_API_|PACT_|GIT_BRANCH$)/,
};

/** A longer text is not repeated: the reader has set it. */
const longest = 120;

/**
 * The command that gets the same result, as it is called here: in a checkout, through npx, or as GitHub's action. A
 * POSIX shell needs the assignments before it: this process's variables, without `.env`, and without credentials,
 * which the command names when they are missing.
 * @param isInstalled whether the project is a package of another one
 */
export function commandAgain(
  command: keyof typeof reads,
  { env = process.env, isInstalled = import.meta.url.includes('/node_modules/') } = {},
): string {
  if (command === 'gate' && env.GITHUB_ACTION_PATH) return 'with: clauses:';
  const assignments = settings
    .filter(({ name, isCredential }) => reads[command].test(name) && !isCredential)
    .flatMap(({ name }) => {
      const text = env[name]?.trim() ?? '';
      // A query may hold a credential.
      const isHidden = /^https?:.*\?/.test(text) || text.length > longest;
      return text === '' ? [] : [`${name}=${isHidden ? `"$${name}"` : quotedWord(text)} `];
    });
  const installed = `npx public-api-contract ${command.replace(':', '-')}`;
  return assignments.join('') + (isInstalled ? installed : `npm run ${command} --`);
}
