import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ProgramName } from '../../tools/setup/programs.ts';
import { freePort } from '../free-port.ts';
import { programPath } from '../programs.ts';

/** How to start a real program that listens on a port. */
export interface Start {
  readonly program: ProgramName;
  /** Files that it reads, by their names in its folder; a text may contain the address to listen on. */
  readonly files: Readonly<Record<string, string | ((at: string) => string)>>;
  /** @param at the address to listen on, as `host:port` @param folder its own folder with these files */
  args(at: string, folder: string): readonly string[];
  /** Its environment; by default that of the tests. */
  env?(at: string, folder: string): NodeJS.ProcessEnv;
  /** The log text that shows that it listens. */
  readonly readyWith: string;
}

/** A real program that listens on a free port, and stores its data in a temporary folder. */
export interface Daemon extends AsyncDisposable {
  readonly address: URL;
  readonly pid: number | undefined;
  /** What it has written so far. */
  log(): string;
  /** Ends it as a supervisor does, so that it writes its data. */
  stop(): Promise<void>;
}

/** The most ports to try if they turn out to be in use. */
const mostPorts = 5;

/** @throws with its log when it ends instead */
export async function startDaemon(start: Start): Promise<Daemon> {
  for (let tried = 1; ; tried += 1) {
    const begun = await begin(start);
    if ('address' in begun) return begun;
    if (
      tried === mostPorts ||
      !/address already in use|could not create listening/i.test(begun.log)
    )
      throw new Error(`${start.program} ended: ${begun.log}`);
  }
}

async function begin(start: Start): Promise<Daemon | { readonly log: string }> {
  const { program, files, args, env, readyWith } = start;
  const folder = mkdtempSync(path.join(os.tmpdir(), `${program}-`));
  const at = `127.0.0.1:${await freePort()}`;
  for (const [name, text] of Object.entries(files))
    writeFileSync(path.join(folder, name), typeof text === 'string' ? text : text(at));
  const child = spawn(programPath(program), args(at, folder), {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: env?.(at, folder) ?? process.env,
  });
  const ended = once(child, 'close').then(() => rmSync(folder, { recursive: true }));
  let log = '';
  const ready = new Promise<true>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text;
        if (log.includes(readyWith)) resolve(true);
      });
  });
  if ((await Promise.race([ready, ended])) !== true) return { log };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  return {
    address: new URL(`http://${at}`),
    pid: child.pid,
    log: () => log,
    stop: () => end('SIGTERM'),
    [Symbol.asyncDispose]: () => end('SIGKILL'),
  };
}
