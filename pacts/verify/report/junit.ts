import { type Case, junitDocument, type Suite } from '../../../contract/report/junit-xml.ts';
import { rowText } from '../../../contract/report/rows.ts';
import { firstLine } from '../../../contract/report/words.ts';
import { rowsOf } from './failure.ts';
import {
  headline,
  type PactReport,
  type ReportedInteraction,
  type ReportedPact,
} from './report.ts';

/**
 * `pacts.xml`: there is one suite for each pact, and one case for each interaction. A failure that does not fail the
 * run is skipped. Errors that concern no interaction have a suite of their own, as in `gate.xml`.
 */
export function junitXml(report: PactReport): string {
  const { startedAt, finishedAt, target, requests, unjudged } = report;
  const errors = errorsOf(report);
  const suites: Suite[] = [
    ...report.pacts.map((pact) => suiteOf(pact, report.again)),
    ...(errors.length === 0 ? [] : [{ name: 'VERIFICATION', cases: errors }]),
  ];
  return junitDocument(suites, {
    name: 'Pacts',
    startedAt,
    tookSeconds: (finishedAt.getTime() - startedAt.getTime()) / 1000,
    properties: { target, requests: String(requests) },
    unjudged,
  });
}

const suiteOf = ({ consumer, from, interactions }: ReportedPact, again: string): Suite => ({
  name: `${consumer}  ${from}`,
  cases: interactions.map((interaction) => ({
    name: [interaction.description, interaction.states.join(' and ')]
      .filter(Boolean)
      .join(', given '),
    className: consumer,
    outcome: outcomeOf(interaction, again),
  })),
});

function outcomeOf(interaction: ReportedInteraction, again: string): Case['outcome'] {
  const { ending, pending, reason = '', mismatches } = interaction;
  if (ending === 'verified') return undefined;
  if (ending === 'unverified')
    return { element: 'skipped', type: 'unverified', message: reason, text: '' };
  const text = rowsOf(interaction, again).map(rowText).join('\n');
  const message = mismatches[0]?.what ?? reason;
  return pending
    ? { element: 'skipped', type: 'pending', message: `pending: ${message}`, text }
    : { element: 'failure', type: 'failed', message, text };
}

function errorsOf(report: PactReport): Case[] {
  const { exit, unjudged, defect } = report;
  const error = (name: string, type: string, text: string): Case => ({
    name,
    className: 'VERIFICATION',
    outcome: { element: 'error', type, message: firstLine(text), text },
  });
  const refused = report.pacts.flatMap(({ consumer, refused = [], pending }) =>
    refused.length === 0 || pending
      ? []
      : [error(`The pact of ${consumer} can be verified`, 'refused', refused.join('\n'))],
  );
  const errors = [
    ...(unjudged === undefined ? [] : [error('The provider can be judged', 'unjudged', unjudged)]),
    ...refused,
    ...(defect === undefined ? [] : [error('The run reaches its end', 'defect', defect)]),
  ];
  return exit === 2 && errors.length === 0
    ? [error('The verification is complete', 'incomplete', headline(report))]
    : errors;
}
