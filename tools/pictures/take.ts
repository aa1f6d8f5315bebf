import { chromium } from '@playwright/test';
import { alertPicture } from './alert.ts';
import { gatePicture } from './gate.ts';
import { matrixPicture } from './matrix.ts';
import { monitorPicture } from './monitor.ts';

/** `npm run pictures`: takes the pictures of the documentation in a real browser: all, or those named. */
const pictures = {
  gate: gatePicture,
  monitor: monitorPicture,
  alert: alertPicture,
  matrix: matrixPicture,
};

const flags = '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run';

const help = `Takes the pictures of the documentation in a real Chromium, and writes them to tools/pictures/.

  npm run pictures            all of them
  npm run pictures -- gate    some of them: ${Object.keys(pictures).join(', ')}
`;

const named = process.argv.slice(2);
const unknown = named.find((name) => !Object.hasOwn(pictures, name));
if (named.includes('--help') || named.includes('-h')) {
  process.stdout.write(help);
  process.exit(0);
}
if (unknown !== undefined) {
  process.stderr.write(`unknown picture ${JSON.stringify(unknown)}: npm run pictures -- --help\n`);
  process.exit(2);
}

const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium-headless-shell',
  args: flags.split(' '),
});
try {
  for (const [name, take] of Object.entries(pictures))
    if (named.length === 0 || named.includes(name)) await take(browser);
} finally {
  await browser.close();
}
