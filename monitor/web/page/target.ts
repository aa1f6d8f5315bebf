import type { Status, TargetStatus } from '../../watch/status.ts';
import { breaches } from './breaches.ts';
import { changes } from './changes.ts';
import { clauses } from './clauses.ts';
import { failures } from './failures.ts';
import { head } from './head.ts';
import { incidents } from './incidents.ts';
import { lifetime } from './lifetime.ts';
import { html, type Markup } from './markup.ts';
import { past } from './past.ts';
import { speed } from './speed.ts';

/**
 * Everything about one target, in the order of an on-call engineer's questions. Does the contract hold now? What
 * was violated, and since when? How fast is the target? How long do tokens live? What was violated before? What
 * changed? How was it before? What failed last?
 */
export const targetSections = (target: TargetStatus, { now }: Pick<Status, 'now'>): Markup =>
  html`<article aria-label="${target.name}">
${head(target, now)}
${breaches(target, now)}
${clauses(target, now)}
${speed(target, now)}
${lifetime(target)}
${incidents(target)}
${changes(target, now)}
${past(target, now)}
${failures(target, now)}
</article>`;
