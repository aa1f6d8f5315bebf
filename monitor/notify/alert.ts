import { hash } from 'node:crypto';
import { field, isObject, numberIn, textIn } from '../../contract/json-value.ts';

/** An alert as sent to every receiver. Its texts are free of secrets. */
export interface Alert {
  /** Unique among the alerts that fire at the same time. */
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  /** The page of the target. */
  readonly link?: string;
  /** Milliseconds since 1970. */
  readonly startsAt: number;
}

export interface Message {
  /** The same for every attempt to deliver it. */
  readonly id: string;
  readonly status: 'firing' | 'resolved' | 'test';
  readonly alert: Alert;
  /** Only for a resolved alert: milliseconds since 1970. */
  readonly endsAt?: number;
}

/** Creates a message. Its id is derived from its content, so two monitors with the same finding create the same id. */
export function messageOf(status: Message['status'], alert: Alert, endsAt?: number): Message {
  const { labels, startsAt } = alert;
  const sorted = Object.entries(labels).sort(([one], [other]) => (one < other ? -1 : 1));
  const id = hash('sha256', JSON.stringify([status, sorted, startsAt])).slice(0, 32);
  return { id, status, alert, endsAt };
}

/** Reads an alert back from the state. */
export function alertFrom(value: unknown): Alert | undefined {
  const labels = field(value, 'labels');
  const annotations = field(value, 'annotations');
  const startsAt = numberIn(value, 'startsAt');
  if (!isTexts(labels) || !isTexts(annotations) || startsAt === undefined) return undefined;
  return { labels, annotations, startsAt, link: textIn(value, 'link') };
}

/** Reads a message back from the state. */
export function messageFrom(value: unknown): Message | undefined {
  const alert = alertFrom(field(value, 'alert'));
  const id = textIn(value, 'id');
  const status = (['firing', 'resolved'] as const).find((one) => one === field(value, 'status'));
  if (alert === undefined || status === undefined || id === undefined) return undefined;
  return { id, status, alert, endsAt: numberIn(value, 'endsAt') };
}

const isTexts = (value: unknown): value is Readonly<Record<string, string>> =>
  isObject(value) && Object.values(value).every((one) => typeof one === 'string');
