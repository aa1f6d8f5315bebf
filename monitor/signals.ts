// Loaded before the monitor itself: while that is loaded, a third of a second, no signal may end it by accident.

let isHangUpDue = false;

let hangUp = (): void => {
  isHangUpDue = true;
};

process.on('SIGHUP', () => hangUp());

// Node opens a debugger on SIGUSR1, through which anybody on this machine could read secrets, unless a listener is set.
process.on('SIGUSR1', () => {});

/** @param listener called at each SIGHUP from now on, and now if there was one before */
export function onHangUp(listener: () => void): void {
  hangUp = listener;
  if (isHangUpDue) listener();
}
