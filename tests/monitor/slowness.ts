import { setTimeout as sleep } from 'node:timers/promises';

/** Work like that of a monitor: it parses, writes and searches JSON. */
const text = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, tags: ['a', 'b'] })));
const work = (): string =>
  JSON.stringify(JSON.parse(text)).replace(/"id":(\d+)/g, (_, id) => `"${id}"`);

/** Milliseconds of processor that the work takes on the machine for which bounds in seconds were written. */
const usualMs = 23;

/**
 * Repeats the same work while something else runs, because a processor shared with others does less in a second.
 * @param isOver ends the measurement
 * @returns how many times as much processor time as usual the work took; 1 on a faster machine
 */
export async function slowness(isOver: AbortSignal): Promise<number> {
  work();
  let usedMs = 0;
  let times = 0;
  do {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    usedMs += (user + system) / 1000;
    times += 1;
    await sleep(2_000, undefined, { signal: isOver }).catch(() => {});
  } while (!isOver.aborted);
  return Math.max(1, usedMs / times / usualMs);
}
