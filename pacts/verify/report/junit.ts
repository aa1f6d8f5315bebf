import {
  type Case,
  errorSuite,
  junitDocument,
  type RunError,
  type Suite,
} from '../../../contract/report/junit-xml.ts';
import { failureText } from './failure.ts';
import {
  headline,
  type PactReport,
  type ReportedInteraction,
  type ReportedPact,
  tookSeconds,
} from './report.ts';

/**
 * `pacts.xml`: there is one suite for each pact, and one case for each interaction. A failure that does not fail the
 * run is skipped. Errors that concern no interaction have a suite of their own, as in `gate.xml`.
 */
export function junitXml(report: PactReport): string {
  const { startedAt, target, requests, unjudged } = report;
  const suites = [
    ...report.pacts.map((pact) => suiteOf(pact, report.again)),
    ...errorSuite('VERIFICATION', errorsOf(report)),
  ];
  return junitDocument(suites, {
    name: 'Pacts',
    startedAt,
    tookSeconds: tookSeconds(report),
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
  const text = failureText(interaction, again);
  const message = mismatches[0]?.what ?? reason;
  return pending
    ? { element: 'skipped', type: 'pending', message: `pending: ${message}`, text }
    : { element: 'failure', type: 'failed', message, text };
}

function errorsOf(report: PactReport): RunError[] {
  const { exit, unjudged, defect, pacts } = report;
  const refusals = pacts.filter(({ refused, pending }) => refused !== undefined && !pending);
  const isExplained = unjudged !== undefined || refusals.length > 0;
  const incomplete = exit === 2 && !isExplained ? headline(report) : undefined;
  return [
    { name: 'The provider can be judged', type: 'unjudged', text: unjudged },
    ...refusals.map(({ consumer, refused = [] }) => ({
      name: `The pact of ${consumer} can be verified`,
      type: 'refused',
      text: refused.join('\n'),
    })),
    { name: 'The run reaches its end', type: 'defect', text: defect },
    { name: 'The verification is complete', type: 'incomplete', text: incomplete },
  ];
}
