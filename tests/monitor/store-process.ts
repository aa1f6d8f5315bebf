import { writeSync } from 'node:fs';
import { logTo } from '../../monitor/log.ts';
import { openDatabase, StateOpenError } from '../../monitor/store/opening.ts';
import { Store } from '../../monitor/store/store.ts';
import { Watch } from '../../monitor/watch.ts';
import { probes } from '../../probes/index.ts';
import { targetAt } from './provider.ts';

/*
 * A separate process with a state file. `open FILE` prints whether a user without rights can open it. `watch FILE URL`
 * watches a provider until it is killed, and prints what it has stored: a line for each round and each canary.
 */

const [what, file = '', url = ''] = process.argv.slice(2);
const print = (line: string): number => writeSync(1, `${line}\n`);

class Telling extends Store {
  override save(...row: Parameters<Store['save']>): void {
    super.save(...row);
    print(`round ${JSON.stringify(row[1])}`);
  }

  override saveCanary(...row: Parameters<Store['saveCanary']>): void {
    super.saveCanary(...row);
    print(`canary ${row[1]}`);
  }
}

// If the superuser runs the tests, file permissions would have no effect.
if (what === 'open' && process.getuid?.() === 0) process.setuid?.(65534);
try {
  const store = new Telling(openDatabase(file));
  if (what === 'watch') {
    const target = { ...targetAt(new URL(url)), canaries: { everySeconds: 1 } };
    const log = logTo({ write() {} }, false);
    new Watch({ targets: [target], probes, periodSeconds: 1, log, store }).start();
  } else {
    store.close();
    print('opened');
  }
} catch (error) {
  if (!(error instanceof StateOpenError)) throw error;
  print(error.message);
}
