// Loaded before the monitor itself.

// A name that does not resolve blocks a thread of Node's pool for many seconds. By default the pool has four threads,
// of which names get two. Node reads this when the pool gets its first task.
process.env.UV_THREADPOOL_SIZE ??= '64';

// Loading takes a third of a second, and a signal must not end the process meanwhile.

let isHangUpDue = false;

let hangUp = (): void => {
  isHangUpDue = true;
};

process.on('SIGHUP', () => hangUp());

// On SIGUSR1 Node would open a debugger, through which every user of this machine could read secrets. A listener
// prevents that.
process.on('SIGUSR1', () => {});

/** @param listener called at each SIGHUP from now on, and at once if one arrived before */
export function onHangUp(listener: () => void): void {
  hangUp = listener;
  if (isHangUpDue) listener();
}
