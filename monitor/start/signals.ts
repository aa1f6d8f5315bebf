// Loaded before the monitor itself: loading takes a third of a second, in which no signal may end it by accident.

let isHangUpDue = false;

let hangUp = (): void => {
  isHangUpDue = true;
};

process.on('SIGHUP', () => hangUp());

// On SIGUSR1 Node opens a debugger, through which every user of this machine could read secrets, unless a
// listener is set.
process.on('SIGUSR1', () => {});

/** @param listener called at each SIGHUP from now on, and now if there was one before */
export function onHangUp(listener: () => void): void {
  hangUp = listener;
  if (isHangUpDue) listener();
}
