import type { Status, TargetStatus } from '../../watch/status.ts';
import { breaches } from './breaches.ts';
import { changes } from './changes.ts';
import { clauses } from './clauses.ts';
import { failures } from './failures.ts';
import { head } from './head.ts';
import { lifetime } from './lifetime.ts';
import { html, type Markup } from './markup.ts';
import { past } from './past.ts';
import { speed } from './speed.ts';

/**
 * Everything about one target, in the order of an on-call engineer's questions: does the contract hold now, what
 * was violated and since when, how fast is it, how long do tokens live, what changed, how was it before, what
 * failed last.
 */
export const targetSections = (target: TargetStatus, { now }: Pick<Status, 'now'>): Markup =>
  html`<article aria-label="${target.name}">
${head(target, now)}
${breaches(target, now)}
${clauses(target, now)}
${speed(target, now)}
${lifetime(target)}
${changes(target, now)}
${past(target, now)}
${failures(target, now)}
</article>`;
