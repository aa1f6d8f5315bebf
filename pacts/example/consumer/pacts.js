// Runs before and after the tests. Tests add to an existing pact, so `clear` removes an old one; `check` fails without
// a new one. `pretest` and `posttest` do not replace this: npm skips both if its setting ignore-scripts is true.
import { existsSync, readFileSync, rmSync } from 'node:fs';

const { engines } = JSON.parse(readFileSync('package.json', 'utf8'));
const [needed] = /\d+/.exec(engines.node);

function end(message) {
  console.error(message);
  process.exit(1);
}

if (Number.parseInt(process.versions.node, 10) < Number(needed))
  end(`The tests need Node ${engines.node}, and this is ${process.version}`);
if (process.argv[2] === 'clear') rmSync('pacts', { recursive: true, force: true });
if (process.argv[2] === 'check' && !existsSync('pacts')) end('No test has written a pact');
