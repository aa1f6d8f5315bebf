import type { FleetStatus, HeldTarget, MemberStatus } from '../../fleet/fleet-status.ts';
import { headline } from '../../target/contract-status.ts';
import type { Status, TargetStatus } from '../../watch/status.ts';
import { folding, html, type Markup, mark, type Signed } from './markup.ts';
import { targetPath } from './target-rows.ts';
import { count, span, words } from './wording.ts';

/** A status of a monitor that may belong to a fleet. */
export interface FleetPageStatus extends Status {
  readonly fleet?: FleetStatus;
  /** The URL of this page. Links to other monitors use its scheme: all monitors of a fleet have TLS, or none has. */
  readonly url?: string;
}

/** The known state of targets that other members hold: enough for a headline. */
export function targetsElsewhere({
  fleet,
  targets,
}: Pick<FleetPageStatus, 'fleet'> & {
  readonly targets: readonly Pick<TargetStatus, 'name'>[];
}): (Signed & Pick<TargetStatus, 'name'>)[] {
  const own = new Set(targets.map(({ name }) => name));
  // Without the database no state is known, and no first round is under way.
  const unknown = fleet?.problem === undefined ? 'waiting' : 'unverified';
  return (fleet?.targets ?? [])
    .filter(({ name }) => !own.has(name))
    .map(({ name, state = unknown, maintenance }) => ({ name, state, maintenance }));
}

/** The whole fleet: its members, their targets, and the latest run of each. */
export function fleetSection(fleet: FleetStatus, now: Date, url = 'http:'): Markup {
  const { members, targets, problem } = fleet;
  const held = Map.groupBy(targets, ({ authority }) => authority);
  const free = held.get(undefined) ?? [];
  const link: Link = (authority, path) => `${url.split('//')[0]}//${authority}${path}`;
  return html`<section aria-labelledby="fleet"><h2 id="fleet">Fleet</h2>
${problem === undefined ? '' : html`<p class="note">This monitor reports that ${problem}. Ten seconds after its last contact it stops watching; it keeps what it has found.</p>`}
${free.length === 0 ? '' : html`<p class="note">${count(free.length, 'target')} without a monitor: ${free.slice(0, 5).map(({ name }) => `${name} `)}${free.length > 5 ? '…' : ''}</p>`}
${problems(targets, members, link)}
<table class="members"><thead><tr><th scope="col">Monitor</th><th scope="col">Watches</th>
<th scope="col">Last run</th><th scope="col">Since</th><th scope="col">Version</th></tr></thead>
<tbody>${members.map((member) => row(member, held.get(member.authority) ?? [], now, link))}</tbody></table>
${members.map((member) => folded(member, held.get(member.authority) ?? [], now, link))}</section>`;
}

/** The address of a page of another monitor. */
type Link = (authority: string, path: string) => string;

const loud: readonly (string | undefined)[] = ['broken', 'unreachable', 'partly'];

/** Targets of other members that need attention; this member's targets have rows above. */
function problems(
  targets: readonly HeldTarget[],
  members: readonly MemberStatus[],
  link: Link,
): Markup | '' {
  const own = members.find(({ isThis }) => isThis)?.authority;
  const found = targets.filter(
    ({ state, maintenance, authority }) =>
      loud.includes(state) && maintenance === undefined && authority !== own,
  );
  return found.length === 0
    ? ''
    : html`<p class="legend" id="elsewhere">${count(found.length, 'target')} of other monitors with a problem</p>
<ul class="names" aria-labelledby="elsewhere">${found.map((target) => item(target, link))}</ul>`;
}

/** A target, as a link to its holder's page. */
const item = ({ name, state = 'waiting', authority }: HeldTarget, link: Link): Markup =>
  html`<li>${mark(state)}${
    authority === undefined
      ? name
      : html`<a href="${link(authority, targetPath({ name }))}">${name}</a>`
  } <small>${headline[state]}</small></li>`;

const row = (
  { authority, version, startedAt, isThis }: MemberStatus,
  targets: readonly HeldTarget[],
  now: Date,
  link: Link,
): Markup => html`<tr><th scope="row"><a href="${link(authority, '/')}">${authority}</a>${isThis ? html` <small>this one</small>` : ''}</th>
<td>${count(targets.length, 'target')}</td><td>${lastRun(latestOf(targets), now)}</td>
<td class="ran"><time datetime="${startedAt.toISOString()}">${span(startedAt, now)}</time></td>
<td class="ran">${version}</td></tr>`;

function latestOf(targets: readonly HeldTarget[]): HeldTarget | undefined {
  const ranAt = (target?: HeldTarget): number => target?.ranAt?.getTime() ?? 0;
  return targets.reduce<HeldTarget | undefined>(
    (latest, one) => (ranAt(one) > ranAt(latest) ? one : latest),
    undefined,
  );
}

/** @param name shown where the context does not name the target */
function lastRun(target: HeldTarget | undefined, now: Date, name = target?.name): Markup | string {
  if (target?.ranAt === undefined || target.probe === undefined) return 'none';
  const ending = target.success ? '' : ', not passed';
  const more = name === '' ? ending : html` <small>${name}${ending}</small>`;
  return html`${span(target.ranAt, now)} ago: ${words(target.probe)}${more}`;
}

const folded = (
  { authority }: MemberStatus,
  targets: readonly HeldTarget[],
  now: Date,
  link: Link,
): Markup | '' =>
  targets.length === 0
    ? ''
    : folding(
        `held-by-${authority.replaceAll(/[^\w-]/g, '-')}`,
        `${count(targets.length, 'target')} of ${authority}`,
        html`<ul class="names">${targets.map(
          (target) =>
            html`<li>${mark(target.state ?? 'waiting')}<a href="${link(authority, targetPath(target))}">${target.name}</a> <small>${lastRun(target, now, '')}</small></li>`,
        )}</ul>`,
      );
