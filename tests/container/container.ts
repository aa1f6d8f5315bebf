import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { type Image, isRoot } from './image.ts';

/** A process in a container. */
export interface Contained extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Resolves with its first line on stdout, or with its whole output when it ends without one. */
  readonly started: Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly message: string }>;
}

/** Whether a process on this machine can have mounts of its own. */
const mounts = isRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;

/** Does the same as `docker run --read-only --cap-drop ALL --security-opt no-new-privileges -v …:VOLUME`. */
const inMounts = `
mount --bind "$FILES" "$FILES" && mount -o remount,bind,ro "$FILES" &&
mount --bind "$VOLUME" "$FILES$MOUNTED" && cd "$FILES$WORKDIR" &&
exec setpriv --reuid="$ID" --regid="$ID" --clear-groups --no-new-privs \\
  --bounding-set=-all --inh-caps=-all "$@"`;

/**
 * Creates the volume of a container, with the image's files, as Docker fills a new one. Without mounts, the rest of
 * the image is made read-only by file permissions.
 */
export function volumeOf({ files, volume: mounted }: Image): string {
  const state = path.join(files, mounted);
  if (!mounts) {
    spawnSync('chmod', ['-R', 'a-w', files]);
    spawnSync('chmod', ['u+w', state]);
    return state;
  }
  const volume = `${files}-volume`;
  spawnSync('cp', ['-a', state, volume]);
  return volume;
}

/** Starts a command of an image. The container's environment does not inherit that of the tests. */
export function contain(
  image: Image,
  line: readonly string[],
  { volume, env }: { readonly volume: string; readonly env: Readonly<Record<string, string>> },
): Contained {
  const { files, bin, workdir, user } = image;
  const inside = (text: string): string => text.replace(/^\//, `${files}/`);
  const [command = '', ...args] = line.map(inside);
  const within = [...image.env].map(([name, value]) => [name, inside(value)]);
  const whole = {
    PATH: `${bin}:/usr/bin:/bin`,
    TMPDIR: '/nowhere',
    // Docker sets this for a user without a name.
    HOME: '/',
    ...Object.fromEntries(within),
    ...env,
  };
  const child = mounts
    ? spawn('unshare', ['--mount', 'sh', '-c', inMounts, 'sh', command, ...args], {
        env: {
          ...whole,
          FILES: files,
          VOLUME: volume,
          MOUNTED: image.volume,
          WORKDIR: workdir,
          ID: `${user.uid}`,
        },
      })
    : spawn(command, args, {
        cwd: path.join(files, workdir),
        env: whole,
        ...(isRoot ? user : {}),
      });
  let message = '';
  const started = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      message += text;
      if (message.includes('\n')) resolve(message.split('\n')[0] ?? '');
    });
    child.on('close', () => resolve(message));
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    message += text;
  });
  const ended = once(child, 'close').then(([code]) => ({ code, message: message }));
  return {
    child,
    started,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
