// Around the tests: they add to the pact that is there, so an old one is removed before, and a missing one noticed
// after. As `pretest` and `posttest` both would be left out where npm's setting ignore-scripts is true.
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
