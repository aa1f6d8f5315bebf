import { expect, put, test, typed } from './verify-process.ts';
import { callWithToken } from './verifying.ts';

test('the printed command finds a description of any characters and length', async ({
  pactVerify,
  folder,
}) => {
  const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
  for (const [at, description] of [
    `a call of a ${family}`,
    'a call \u200f\u05d0 from the right',
    'a call\nof two lines',
    '- a call of a list',
    `a call that is ${'very '.repeat(200)}long`,
  ].entries()) {
    const file = put(folder, `${at}.json`, callWithToken(description, undefined, { status: 299 }));
    const { stdout } = await pactVerify([file]);
    const again = / {2}again {5}(.+)\n/.exec(stdout)?.[1] ?? '';
    const run = await typed(folder, again, {});
    expect([run.exit, run.stderr], again).toEqual([1, '']);
  }
});

test('the printed command names all files, however many they are', async ({
  pactVerify,
  folder,
}) => {
  const name = (at: number): string => `a-folder-of-pacts/the-pact-of-consumer-${at}.json`;
  const failing = callWithToken('a call', undefined, { status: 299 });
  const files = Array.from({ length: 30 }, (_, at) => put(folder, name(at), failing));
  const { stdout } = await pactVerify(files);
  const again = / {2}again {5}(.+)\n/.exec(stdout)?.[1];
  expect(again).toBe(`npm run pact:verify -- ${files.join(' ')} --interaction 'a call'`);
});
