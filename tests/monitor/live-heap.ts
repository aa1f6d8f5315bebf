import { once } from 'node:events';
import type { Running } from '../process.ts';

/** An option of Node that makes the heap of the process readable. */
export const inspectable = '--inspect=127.0.0.1:0';

const listening = /Debugger listening on (ws:\S+)/;
const lines =
  /^(Debugger (listening|attached|ending)|For help, see|Waiting for the debugger).*\n/gm;

/** The stderr of a process that was started `inspectable`, without the lines of Node's inspector. */
export const ownErrors = ({ output }: Running): string => output().stderr.replace(lines, '');

/** The bytes in use on JavaScript's heap after a full collection. */
export async function liveHeapBytes({ output }: Running): Promise<number> {
  const [, address] = listening.exec(output().stderr) ?? [];
  if (address === undefined) throw new Error('the process was not started inspectable');
  const socket = new WebSocket(address);
  await once(socket, 'open');
  const call = async (id: number, method: string): Promise<unknown> => {
    const answered = new Promise<unknown>((resolve, reject) => {
      socket.addEventListener('close', () => reject(new Error('the inspector hung up')));
      socket.addEventListener('message', ({ data }) => {
        const answer: { id?: number; result?: unknown } = JSON.parse(String(data));
        if (answer.id === id) resolve(answer.result);
      });
    });
    socket.send(JSON.stringify({ id, method }));
    return answered;
  };
  await call(1, 'HeapProfiler.collectGarbage');
  const usage = (await call(2, 'Runtime.getHeapUsage')) as { usedSize: number };
  socket.close();
  return usage.usedSize;
}
