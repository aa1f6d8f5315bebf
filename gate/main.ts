/*
 * An old Node cannot load a .ts file, and exits with 1, which would mean that a clause is violated. So the gate
 * begins in JavaScript, which checks the version and exits with 2. `gate/main.ts` is a link to this file: Node
 * resolves it before it looks at the extension.
 */
import '../tools/setup/loading.js';

await import('./command.ts');
