/*
 * Replaces `npm` in the tests of the action. It links the packages that are installed here instead of downloading
 * them, and only those that `npm ci --omit=dev --omit=optional` would install. So if the gate needs a development
 * or optional dependency, that is missing, as it would be on GitHub.
 */
import { mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

interface Lock {
  readonly packages: Readonly<
    Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>
  >;
}

const installed = fileURLToPath(new URL('../../', import.meta.url));
const command = process.argv.slice(2).join(' ');
if (command !== 'ci --omit=dev --omit=optional') throw new Error(`npm ${command} is not expected`);
const lock: Lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
rmSync('node_modules', { recursive: true, force: true });
for (const [place, { dev, optional, devOptional }] of Object.entries(lock.packages)) {
  if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(place)) continue;
  if (dev === true || optional === true || devOptional === true) continue;
  mkdirSync(path.dirname(place), { recursive: true });
  symlinkSync(path.join(installed, place), place);
}
