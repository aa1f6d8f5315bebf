import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { authority } from '../client/certificates.ts';
import { tlsFront } from '../client/tls-front.ts';
import { needs } from '../programs.ts';
import { closingLine, expect, naming, test } from './process.ts';

/** Credentials with every character that has a special meaning in a shell, `.env` file, URL, JSON or header. */
const odd = {
  apiKey: ` it's "quoted" \\back\\n #hash $HOME \${x} a=b 50%41 <&amp;> \`tick\` zebra-🦓-é `,
  secretKey: `\t=${'long §'.repeat(200)}"''"\\`,
};

test('credentials may be read from files', async ({ folder, gate, serve }) => {
  // This secret is too long for the headers in which a probe sends it, but not for the token endpoint.
  const account = { ...odd, secretKey: odd.secretKey.repeat(3) };
  const sandbox = await serve({ account });
  const { PUBLIC_API_KEY: _, PUBLIC_API_SECRET_KEY: __, ...env } = naming(sandbox);
  await writeFile(path.join(folder, 'key'), odd.apiKey);
  await writeFile(path.join(folder, 'secret'), `${account.secretKey}\r\n`);
  const files = { PUBLIC_API_KEY_FILE: 'key', PUBLIC_API_SECRET_KEY_FILE: 'secret' };
  const run = await gate(['TOKEN', 'BEARER-5'], { ...env, ...files });
  expect(sandbox.state.tokens.size).toBeGreaterThan(5);
  expect(run).toMatchObject({ exit: 0, stderr: '' });
  expect(closingLine(run)).toMatch(/^✓ Contract holds as far as selected · \d+ held · /);
});

test.describe('over TLS', () => {
  needs('openssl');

  test('a provider and its test clock may use a certificate of a private authority', async ({
    folder,
    gate,
    serve,
  }) => {
    const certificates = await authority();
    const sandbox = await serve({ prefix: '/v9' });
    const front = await tlsFront(sandbox.baseUrl, certificates.good);
    await writeFile(path.join(folder, 'ca.pem'), certificates.cert);
    const run = await gate(['TOKEN', 'BEARER-1', 'EXPIRY-2'], {
      ...naming(sandbox),
      PUBLIC_API_BASE_URL: `${front.url}v9/`,
      PUBLIC_API_CLOCK_URL: `${front.url}test-clock`,
      PUBLIC_API_CA_FILE: 'ca.pem',
    });
    front.close();
    await certificates.remove();
    expect(sandbox.state.tokens.size).toBeGreaterThan(10);
    expect(run).toMatchObject({ exit: 0, stderr: '' });
    expect(closingLine(run)).toMatch(/^✓ Contract holds as far as selected · \d+ held · /);
  });
});
