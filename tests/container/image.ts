import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { context, root } from './context.ts';
import { last, pairsOf, type Stage, wordsOf } from './dockerfile.ts';

/** How a stage runs its commands. */
interface ContainerContext {
  readonly workdir: string;
  readonly user: { readonly uid: number; readonly gid: number };
  readonly env: ReadonlyMap<string, string>;
}

/** The files of an image, and how a container runs it. */
export interface Image extends ContainerContext {
  /** The container's `/`, except for the files of the base image. */
  readonly files: string;
  /** The folder of the Node that replaces that of the base image. */
  readonly bin: string;
  /** The path of its volume. */
  readonly volume: string;
  remove(): void;
}

/** The finished stages by name: their files, and the context in which stages that are based on them continue. */
export type Done = Map<string, { readonly folder: string; readonly context: ContainerContext }>;

interface Place extends Pick<Image, 'files' | 'bin'> {
  readonly done: Done;
}

/** Only root can run as another user and change the owner of files. */
export const isRoot = process.getuid?.() === 0;

/**
 * Builds a Dockerfile without a daemon. Its steps run for real, each stage in a folder that replaces `/`. Only the
 * stages that the target needs are built, one after the other in the same folder, because compiled files are cached
 * by their path.
 * @param done the stages of earlier images, which are not built again; those of this image are added
 */
export function build(stages: readonly Stage[], target: Stage, done: Done): Image {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'image-'));
  // The image's user must be able to reach this folder and Node, wherever this project is.
  chmodSync(folder, 0o755);
  const bin = path.join(folder, 'bin');
  const files = path.join(folder, 'files');
  mkdirSync(bin);
  copyFileSync(process.execPath, path.join(bin, 'node'));
  if (!isRoot) writeFileSync(path.join(bin, 'chown'), '#!/bin/sh\n', { mode: 0o755 });
  const remove = (): void => {
    // A read-only folder cannot be emptied.
    spawnSync('chmod', ['-R', 'u+w', folder]);
    rmSync(folder, { recursive: true });
  };
  try {
    const missing = neededFor(target, stages).filter(({ name = '' }) => !done.has(name));
    const context = made(missing, { files, bin, done });
    return { ...context, files, bin, volume: last(target, 'VOLUME'), remove };
  } catch (error) {
    remove();
    throw error;
  }
}

/** A stage, after the stages that it is based on or copies from, in their order. */
export function neededFor(target: Stage, stages: readonly Stage[]): Stage[] {
  const names = [
    target.base,
    ...target.instructions.flatMap(({ text }) => wordsOf(text).flags.get('from') ?? []),
  ];
  const before = stages.filter(({ name }) => name !== undefined && names.includes(name));
  return [...new Set([...before.flatMap((stage) => neededFor(stage, stages)), target])];
}

/** Builds one stage after the other; all but the last are moved away. */
function made(stages: readonly Stage[], { files, bin, done }: Place): ContainerContext {
  let latest = base;
  for (const [index, stage] of stages.entries()) {
    const start = done.get(stage.base);
    if (start === undefined) mkdirSync(files);
    else linked(start.folder, files);
    latest = start?.context ?? base;
    for (const { name: step, text } of stage.instructions)
      latest = stepOf(step)(text, latest, { files, bin, done });
    if (index === stages.length - 1) break;
    const folder = path.join(path.dirname(files), `stage-${index}`);
    renameSync(files, folder);
    done.set(stage.name ?? '', { folder, context: latest });
  }
  return latest;
}

/** Links the files of a folder into another one: to copy their bytes takes seconds. */
function linked(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  execFileSync('cp', ['-al', `${from}/.`, to]);
  // npm writes this file in place, which would change that of the other folder too.
  const lock = 'app/node_modules/.package-lock.json';
  if (existsSync(path.join(to, lock)))
    execFileSync('cp', ['-a', '--remove-destination', path.join(from, lock), path.join(to, lock)]);
}

const base: ContainerContext = { workdir: '/', user: { uid: 0, gid: 0 }, env: new Map() };

type Step = (text: string, made: ContainerContext, place: Place) => ContainerContext;

/** An instruction that describes how a container runs, and changes no file. */
const ignored: Step = (_text, made) => made;

const steps: Readonly<Record<string, Step>> = {
  WORKDIR(workdir, made, { files }) {
    mkdirSync(path.join(files, workdir), { recursive: true });
    return { ...made, workdir };
  },
  USER: (text, made) => ({ ...made, user: userOf(text) }),
  ENV: (text, made) => ({ ...made, env: new Map([...made.env, ...pairsOf(text)]) }),
  COPY: copy,
  RUN: run,
  LABEL: ignored,
  VOLUME: ignored,
  EXPOSE: ignored,
  STOPSIGNAL: ignored,
  HEALTHCHECK: ignored,
  ENTRYPOINT: ignored,
};

function stepOf(name: string): Step {
  const step = steps[name];
  if (step === undefined) throw new Error(`${name} is not understood here: write how it is done`);
  return step;
}

function userOf(text: string): ContainerContext['user'] {
  const [uid = Number.NaN, gid = uid] = text.split(':').map(Number);
  return { uid, gid };
}

function copy(text: string, made: ContainerContext, { files, done }: Place): ContainerContext {
  const { flags, words } = wordsOf(text);
  const [to = '', ...sources] = words.toReversed();
  const target = path.join(files, path.resolve(made.workdir, to));
  const stage = done.get(flags.get('from') ?? '')?.folder;
  for (const source of sources)
    if (stage === undefined) copyOfContext(source, target);
    else linked(path.join(stage, source), target);
  if (isRoot) spawnSync('chown', ['-R', flags.get('chown') ?? '0:0', target]);
  return made;
}

/** Copies the files of a folder into the target. A single file is copied too; the target is always a folder here. */
function copyOfContext(source: string, target: string): void {
  const found = context.filter((file) => file === source || file.startsWith(`${source}/`));
  if (found.length === 0) throw new Error(`COPY ${source}: no such file is in the build's context`);
  for (const file of found) {
    const own = file === source ? path.basename(file) : path.relative(source, file);
    cpSync(path.join(root, file), path.join(target, own));
  }
}

/** The variables that a machine may need to download packages. Nothing else of the tests' environment is passed. */
const forPackages =
  /^(HOME|\w*_proxy|NODE_EXTRA_CA_CERTS|npm_config_(registry|cafile|userconfig|cache))$/i;

function run(text: string, made: ContainerContext, { files, bin }: Place): ContainerContext {
  const { workdir, user, env } = made;
  const needed = Object.entries(process.env).filter(([name]) => forPackages.test(name));
  const command = text.replaceAll(/(?<=\s)\/(?=\w)/g, `${files}/`);
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', command], {
    cwd: path.join(files, workdir),
    env: {
      ...Object.fromEntries([...needed, ...env]),
      npm_config_prefer_offline: 'true',
      PATH: `${bin}:${process.env.PATH?.replaceAll(/[^:]*node_modules[^:]*:?/g, '')}`,
    },
    encoding: 'utf8',
    ...(isRoot ? user : {}),
  });
  if (status !== 0) throw new Error(`RUN ${text} ended with ${status}:\n${stdout}${stderr}`);
  return made;
}

/** All files of an image, by path, with owner and size, except those of its volume. */
export const filesOf = ({ files, volume }: Pick<Image, 'files' | 'volume'>): string[] =>
  readdirSync(files, { recursive: true, encoding: 'utf8' })
    .filter((name) => !`/${name}/`.startsWith(`${volume}/`))
    .map((name) => {
      const { uid, size, mtimeMs } = lstatSync(path.join(files, name));
      return `${name} ${uid} ${size} ${mtimeMs}`;
    })
    .sort();
