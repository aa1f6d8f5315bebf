/*
 * An old Node cannot load a .ts file, and ends with 1, with which the gate says that a clause is violated. So the gate
 * begins in JavaScript, which checks the version and ends with 2. `gate/main.ts` is a link to this file: Node follows
 * it before it looks at the ending of the name.
 */
import '../tools/setup/loading.js';

await import('./command.ts');
