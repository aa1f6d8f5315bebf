import { isMainThread } from 'node:worker_threads';

// Node ends with 1 when it cannot load a program, and with 1 commands say that a contract is violated, or that a version
// may not be deployed. So this is loaded before each of them, in JavaScript that an old Node reads too.
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

if (isMainThread)
  process.once('uncaughtException', (error) => {
    if (error?.code === 'ERR_MODULE_NOT_FOUND')
      end(`${error.message}: npm ci installs what is missing`, 2);
    end(`${error?.stack ?? error}\nThis is a defect of the suite, not of the provider`, 3);
  });
