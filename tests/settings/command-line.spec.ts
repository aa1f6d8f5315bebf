import { expect, test } from '@playwright/test';
import { readCommandLine } from '../../settings/command-line.ts';

test('an option without its value is refused in one sentence', () => {
  const options = { version: { type: 'string' }, branch: { type: 'string' } } as const;
  const read = (): unknown =>
    readCommandLine('npm run pact:verify', { args: ['--version', '--branch', 'main'], options });
  expect(read).toThrow(
    /^Option '--version' argument is ambiguous: npm run pact:verify -- --help lists the options$/,
  );
});
