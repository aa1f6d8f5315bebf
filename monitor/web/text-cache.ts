import type { Time } from '../loop/time.ts';

const freshMs = 1_000;

/**
 * Renders the text of a path at most once a second, so that many readers cost one rendering.
 * @returns a function that returns bytes at most one second older than the request, which all readers share. The
 * errors of `render` reach all readers that wait, and are not cached.
 */
export function textCache({ monotonic }: Pick<Time, 'monotonic'>) {
  const latest = new Map<string, { readonly at: number; readonly bytes: Promise<Uint8Array> }>();
  return (path: string, render: () => unknown): Promise<Uint8Array> => {
    const now = monotonic();
    for (const [key, { at }] of latest) if (now - at >= freshMs) latest.delete(key);
    const known = latest.get(path);
    if (known !== undefined) return known.bytes;
    const bytes = (async () => new TextEncoder().encode(String(await render())))();
    latest.set(path, { at: now, bytes });
    bytes.catch(() => latest.delete(path));
    return bytes;
  };
}
