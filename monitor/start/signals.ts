// Loaded before the monitor itself. Loading takes a third of a second, and a signal must not end the process
// meanwhile.

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
