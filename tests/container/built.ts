import { readFileSync } from 'node:fs';
import { volumeOf } from './container.ts';
import { last, type Stage, stagesOf } from './dockerfile.ts';
import { build, type Done, type Image } from './image.ts';

/** An image, and the volume of its containers. */
export interface Built {
  readonly image: Image;
  readonly stage: Stage;
  readonly volume: string;
}

/** The stages of the Dockerfile. */
export const stages: readonly Stage[] = stagesOf(
  readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8'),
);

/** A stage of the Dockerfile by its name. */
export function stageNamed(name: string): Stage {
  const stage = stages.find((one) => one.name === name);
  if (stage === undefined) throw new Error(`the Dockerfile has no stage ${name}`);
  return stage;
}

/**
 * The image that `docker build --target NAME` creates.
 * @param done the stages of earlier images
 */
export function buildTarget(name: string, done: Done): Built {
  const stage = stageNamed(name);
  const image = build(stages, stage, done);
  return { image, stage, volume: volumeOf(image) };
}

/** The command of the image. */
export const entrypoint = ({ stage }: Built): string[] => JSON.parse(last(stage, 'ENTRYPOINT'));
