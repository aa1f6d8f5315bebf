#!/usr/bin/env node
/* The lint as a command of its own: `pact-lint` for teams that only write pacts. */
import '../../tools/setup/loading.js';

await import('./main.ts');
