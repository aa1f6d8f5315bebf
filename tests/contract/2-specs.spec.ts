import { pathToFileURL } from 'node:url';
import { testEndpoints } from '../../gate/endpoint-checks.ts';
import { ownSpecs } from '../../gate/own-specs.ts';

testEndpoints();
// They belong to this file, so that Playwright runs them before simulated time.
for (const file of ownSpecs()) await import(pathToFileURL(file).href);
