#!/usr/bin/env -S node --disable-warning=ExperimentalWarning
// The lint for npx, without a checkout: Node does not strip types below node_modules, so this file strips those
// of the package.
import '../../tools/setup/loading.js';
import { readFileSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const own = new URL('../../', import.meta.url).href;
const dependencies = new URL('node_modules/', own).href;

module.registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(own) || url.startsWith(dependencies) || !url.endsWith('.ts'))
      return nextLoad(url, context);
    const source = module.stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'));
    return { format: 'module', source, shortCircuit: true };
  },
});
await import('./main.ts');
