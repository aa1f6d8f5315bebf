/** `npm run pictures`: takes the pictures of the documentation in a real browser. */
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { readCommandLine } from '../../config/command-line.ts';
import { print, runCommand } from '../../contract/command.ts';
import { gatePage } from './gate.ts';
import { monitorPage } from './monitor.ts';

const help = `npm run pictures

Takes the pictures of the documentation in a real Chromium, and writes them to tools/pictures/.
`;

/** The pages, and the height up to which they are shown (CSS pixels). */
const pictures = [
  { file: 'gate.png', height: 1180, html: gatePage },
  { file: 'monitor.png', height: 1720, html: monitorPage },
];

async function main(args: readonly string[]): Promise<0> {
  const options = { help: { type: 'boolean', short: 'h' } } as const;
  const { values } = readCommandLine('npm run pictures', { args: [...args], options });
  if (values.help) return print(help);
  await using browser = await chromium.launch({
    executablePath: '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox'],
  });
  for (const { file, height, html } of pictures) {
    const viewport = { width: 1100, height };
    const tab = await browser.newPage({ viewport, deviceScaleFactor: 1.5 });
    await tab.setContent(await html());
    await tab.screenshot({ path: fileURLToPath(new URL(file, import.meta.url)) });
  }
  return 0;
}

await runCommand(main);
