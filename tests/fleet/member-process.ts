import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { type Environment, ours, type Running, startNode } from '../process.ts';

/** A monitor of a fleet as a separate process, which sends its requests from its own address. */
export interface MemberProcess extends AsyncDisposable {
  /** @returns the exit code */
  end(signal: NodeJS.Signals): Promise<number | null>;
  signal(signal: NodeJS.Signals): void;
  stderr(): string;
}

/** @param source the address from which it sends requests, such as 127.0.0.2 */
export function startMember(source: string, env: Environment): MemberProcess {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'member-'));
  const args = ['--import', ours('tests/fleet/source-address.ts'), ours('monitor/main.ts')];
  const more = { MONITOR_PORT: '0', SOURCE_ADDRESS: source, ...env };
  const running: Running = startNode(folder, args, more);
  const ended = running.ended.then(({ exit }) => {
    rmSync(folder, { recursive: true, force: true });
    return exit;
  });
  async function end(signal: NodeJS.Signals): Promise<number | null> {
    running.child.kill(signal);
    return ended;
  }
  return {
    end,
    signal: (signal) => void running.child.kill(signal),
    stderr: () => running.output().stderr,
    async [Symbol.asyncDispose]() {
      await end('SIGKILL');
    },
  };
}
