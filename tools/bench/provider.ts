import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Behaviour, right } from '../../sandbox/behaviour.ts';
import { startSandbox } from '../../sandbox/provider.ts';
import { authority } from '../../tests/client/certificates.ts';
import { tlsFront } from '../../tests/client/tls-front.ts';
import { naming } from '../../tests/gate/process.ts';

/** A provider over https in this process, which counts its requests. @param folder for its certificate authority */
export async function startProvider(folder: string, change?: Partial<Behaviour>) {
  const behaviour = { ...right, ...change };
  let requests = 0;
  const arrived: Behaviour['arrived'] = (call, state) => {
    requests += 1;
    return behaviour.arrived(call, state);
  };
  const sandbox = await startSandbox({ behaviour: { ...behaviour, arrived } });
  const { cert, good, remove } = await authority();
  await remove();
  const ca = path.join(folder, 'ca.pem');
  await writeFile(ca, cert);
  const front = await tlsFront(sandbox.baseUrl, good);
  const clockUrl = new URL(sandbox.clockUrl.pathname, front.url);
  const env: NodeJS.ProcessEnv = {
    ...naming({ ...sandbox, baseUrl: front.url, clockUrl }),
    PUBLIC_API_CA_FILE: ca,
  };
  return {
    account: sandbox.state.account,
    baseUrl: front.url,
    /** An endpoint that answers 401 without a token. */
    widgets: new URL('/public-api/v1/widgets', front.url).href,
    /** The file of the certificate authority. */
    ca,
    /** The settings of a command for this provider. */
    env,
    requests: () => requests,
    async [Symbol.asyncDispose]() {
      front.close();
      await sandbox.close();
    },
  };
}

export type Provider = Awaited<ReturnType<typeof startProvider>>;
