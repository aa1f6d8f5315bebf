import { pathToFileURL } from 'node:url';
import { ownSpecs } from '../../gate/own-specs.ts';

// They belong to this file, so that Playwright runs them before simulated time.
for (const file of ownSpecs()) await import(pathToFileURL(file).href);
