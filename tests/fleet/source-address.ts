import net from 'node:net';

/*
 * Loaded before a monitor (`--import`). The monitor then connects from its own address, so that a provider's log
 * can distinguish the monitors of one machine. On Linux all of 127.0.0.0/8 is this machine.
 */

const { SOURCE_ADDRESS } = process.env;
const { connect } = net.Socket.prototype;

net.Socket.prototype.connect = function connectFrom(this: net.Socket, ...args: unknown[]) {
  // Node's own callers pass all arguments in one list. Agents use the options again, so they are copied.
  const list = Array.isArray(args[0]) ? args[0] : args;
  const [options] = list;
  if (isOfNetwork(options)) list[0] = { ...options, localAddress: SOURCE_ADDRESS };
  return Reflect.apply(connect, this, args);
};

const isOfNetwork = (options: unknown): options is object =>
  typeof options === 'object' &&
  options !== null &&
  'port' in options &&
  !('path' in options && Boolean(options.path));
