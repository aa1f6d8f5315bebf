import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';

const command = JSON.stringify(new URL('../../contract/command.ts', import.meta.url).href);

/** Runs a command that consists of this code. */
function ends(code: string) {
  const script = `
    import { print, runCommand, UserError } from ${command};
    await runCommand(async (args) => { ${code} }, 'how to use it', async (error) => { print(error.name + ' '); });`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script],
    { encoding: 'utf8', timeout: 90_000 },
  );
  return { status, stdout, stderr };
}

test('a command ends its process with the exit code that it returns', () => {
  expect(ends('setInterval(() => {}, 1000); return 1;')).toMatchObject({ status: 1, stderr: '' });
});

test('a mistake of the caller is one line without a stack, and exits 2', () => {
  const { status, stdout, stderr } = ends(`throw new UserError('set X');`);
  expect({ status, stdout, stderr }).toEqual({ status: 2, stdout: 'Error ', stderr: 'set X\n' });
});

test('any other error is a defect that shows where, and exits 3', () => {
  const { status, stderr } = ends(`throw new TypeError('odd');`);
  expect(status).toBe(3);
  expect(stderr).toMatch(
    /^TypeError: odd\n +at .*\n[\s\S]*This is a defect of the suite, not of the provider\n$/,
  );
});

test('a quoted text writes on no terminal, and gives no command to a CI', () => {
  const { stderr } = ends(`throw new UserError('\\u001b[2Jx\\n::error::y');`);
  expect(stderr).toBe('\ufffd[2Jx\n\u2236:error::y\n');
});
