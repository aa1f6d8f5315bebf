// Loaded before the monitor itself.

// A name that does not resolve blocks a thread of Node's pool for many seconds. By default the pool has four threads,
// of which names get two. Node reads this when the pool gets its first task.
process.env.UV_THREADPOOL_SIZE ??= '64';

// Loading takes a third of a second, and a signal must not end the process meanwhile: it reads its files anyway.
process.on('SIGHUP', () => {});

// On SIGUSR1 Node would open a debugger, through which every user of this machine could read secrets. A listener
// prevents that.
process.on('SIGUSR1', () => {});
