import { unreachableAlert } from '../../alert-name.ts';
import { headline } from '../../target/contract-status.ts';
import type { TargetStatus } from '../../watch/status.ts';
import { action } from './action.ts';
import { html, type Markup, mark, signOf, tag } from './markup.ts';
import { clock, count, span } from './wording.ts';

/** The target's name, whether the contract holds there, and what the reader must know first. */
export function head(target: TargetStatus, now: Date): Markup {
  const { name, address, state, labels = {} } = target;
  return html`<header class="${signOf(target)}">
<p class="target"><strong>${name}</strong> <span>${address}</span>${Object.entries(labels).map(
    ([key, value]) => html` <span class="label">${key} ${value}</span>`,
  )}</p>
<h1>${mark(signOf(target))}<span>${headline[state]}</span></h1>
<p class="lead">${standing(target, now)}</p>
${notes(target, now)}
</header>`;
}

function standing({ state, since, clauses, probes }: TargetStatus, now: Date): Markup {
  const holding = clauses.filter(({ verdict }) => verdict === 'holds').length;
  const violated = clauses.filter(({ verdict }) => verdict === 'violated').length;
  const open = clauses.length - holding - violated;
  const ran = probes.filter(({ last }) => last !== undefined).length;
  return html`${
    state === 'waiting'
      ? `${ran} of ${probes.length} probes have run`
      : html`For ${span(since, now)}, since ${clock(since)}`
  }. ${violated > 0 ? `${count(violated, 'clause')} violated, ` : ''}${count(holding, 'clause')} ${
    holding === 1 ? 'holds' : 'hold'
  }${open > 0 ? `, ${open} unverified` : ''}.`;
}

function notes(target: TargetStatus, now: Date): Markup {
  const { name, maintenance, unreachable, unproven, probes, state } = target;
  const silent = probes.filter(({ last }) => last?.ending === 'unreachable').length;
  const share =
    state === 'partly'
      ? `${silent} of ${probes.length} probes got no answer that can be judged. `
      : '';
  const defects = probes.filter(({ last }) => last?.ending === 'defect').length;
  return html`${
    maintenance === undefined
      ? ''
      : html`<p class="note">${tag('maintenance', 'maintenance')} Findings do not count for ${span(now, maintenance.until)} more, until ${clock(maintenance.until)}${maintenance.note === undefined ? '.' : `: ${maintenance.note}`}</p>`
  }${
    unreachable === undefined
      ? ''
      : html`<p class="note">${tag('unreachable', unreachable.reason)} ${share}${unreachable.detail}</p>
${action({ alert: unreachableAlert, words: '', target: name })}`
  }${
    unproven === undefined
      ? ''
      : html`<p class="note">${tag('unverified', 'unproven')} ${unproven}</p>`
  }${
    defects === 0
      ? ''
      : html`<p class="note">${tag('defect', 'defect')} ${count(defects, 'probe')} failed because of a defect of the monitor, not of the provider: see its log.</p>`
  }`;
}
