import type { NotificationStatus, ReceiverStatus } from '../../notify/notification-status.ts';
import { html, type Markup } from './markup.ts';
import { count } from './wording.ts';

/** Warns that notifications are not delivered. Without this, a reader would think that there are none. */
export function notificationNote(status: NotificationStatus | undefined): Markup | '' {
  if (status === undefined) return '';
  const { receivers, dropped } = status;
  const failing = receivers.filter(({ problem }) => problem !== undefined);
  if (failing.length === 0 && dropped === 0) return '';
  return html`<p class="note">${failing.map(reason)}${
    dropped === 0 ? '' : `${count(dropped, 'notification')} dropped because too many waited. `
  }<a href="/runbook#ContractMonitorNotificationsFailing">What to do</a></p>`;
}

const reason = ({ problem = '', waiting }: ReceiverStatus): Markup =>
  html`Notifications are not delivered: ${problem}; ${count(waiting, 'notification')} waiting, the monitor tries again. `;
