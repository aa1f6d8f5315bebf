import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

// Node exits with 1 when it cannot load a program. For these commands, 1 means that a contract is violated, or that a
// pact is not kept. So each command loads this file first; it is JavaScript that an old Node can read.
const needed = 24;

function end(text, code) {
  process.stderr.write(`${text}\n`);
  process.exit(code);
}

const { node } = process.versions;
if (Number.parseInt(node, 10) < needed)
  end(
    `This needs Node ${needed} or newer, and ${process.execPath} is ${node}: for Linux and Windows npm ci brings one`,
    2,
  );

// Modules of this project import each other by whole relative paths. Node would look at each file and at package.json
// to resolve them, which takes a sixth of the time that the monitor needs to start.
const own = new URL('../../', import.meta.url).href;
nodeModule.registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL = '' } = context;
    const isOwn = parentURL.startsWith(own) && !parentURL.includes('/node_modules/');
    if (!isOwn || !/^\.{1,2}\/.*\.ts$/.test(specifier)) return nextResolve(specifier, context);
    const { href } = new URL(specifier, parentURL);
    return { url: href, format: 'module-typescript', shortCircuit: true };
  },
});

// With the compile cache, programs start in half the time and use a quarter less memory; so do the Node processes that
// they start. If the folder cannot be written, nothing is cached.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(
  new URL('../../node_modules/.cache/compile', import.meta.url),
);
nodeModule.enableCompileCache(process.env.NODE_COMPILE_CACHE);

// npm forwards a signal to its shell, but the shell ends without forwarding it. This process would continue as an
// orphan and keep its port. So a change of the parent counts as SIGTERM. Without npm, the parent may change.
if (isMainThread && process.env.npm_lifecycle_event !== undefined) {
  const parent = process.ppid;
  const watching = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watching);
    process.kill(process.pid, 'SIGTERM');
  }, 500).unref();
}

if (isMainThread) {
  process.once('uncaughtException', (error) => {
    if (error?.code === 'ERR_MODULE_NOT_FOUND')
      end(`${error.message}: npm ci installs what is missing`, 2);
    end(`${error?.stack ?? error}\nThis is a defect of the suite, not of the provider`, 3);
  });

  // A reader such as `head` closes a pipe before the end of the output. A command with its own listener handles errors
  // itself.
  for (const stream of [process.stdout, process.stderr])
    stream.on('error', (error) => {
      if (error.code !== 'EPIPE' && stream.listenerCount('error') === 1) throw error;
    });
}
