// Runs before and after the tests. Tests add to an existing pact, so `clear` removes an old one; `check` fails without
// a new one. `pretest` and `posttest` do not replace this: npm skips both if its setting ignore-scripts is true.
import { existsSync, rmSync } from 'node:fs';

if (process.argv[2] === 'clear') rmSync('pacts', { recursive: true, force: true });
if (process.argv[2] === 'check' && !existsSync('pacts')) {
  console.error('No test has written a pact');
  process.exit(1);
}
