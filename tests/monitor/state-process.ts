import { writeSync } from 'node:fs';
import { StateOpenError } from '../../monitor/state/opening.ts';
import { openStateStore, type StateStore } from '../../monitor/state/state.ts';

/*
 * A separate process that uses a state file. `node state-process.ts open-as-nobody FILE` prints whether a user without
 * rights can open it; `write` writes until it is killed, and prints what is written: 0 at the start.
 */

const [what, file = ''] = process.argv.slice(2);
// If the superuser runs the tests, file permissions would have no effect.
if (what === 'open-as-nobody' && process.getuid?.() === 0) process.setuid?.(65534);
if (what === 'write') writeSync(1, '0\n');
try {
  const state = openStateStore(file);
  if (what === 'write') write(state);
  state.close();
  writeSync(1, 'opened\n');
} catch (error) {
  if (!(error instanceof StateOpenError)) throw error;
  writeSync(1, `${error.message}\n`);
}

/** Rows of one write have the same number, so that a partial write would be visible. */
function write(state: StateStore): never {
  const last = state.entries('one', 'meta').get('number');
  for (let number = typeof last === 'number' ? last + 1 : 1; ; number++) {
    state.put('one', 'meta', 'number', number);
    for (let slot = 0; slot < 100; slot++) state.put('one', 'slot', `${slot}`, { number });
    state.record('one', number, { number });
    state.count('one', 0, 'passed');
    if (state.flush()) writeSync(1, `${number}\n`);
  }
}
