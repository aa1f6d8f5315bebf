import { commandAgain } from '../../config/again.ts';
import type { ExitCode } from '../../contract/command.ts';
import { quotedWord } from '../../contract/http/curl.ts';
import { endpointName } from '../../contract/http/request.ts';
import { type Check, createReport, roundJson } from '../../contract/report/contract-report.ts';
import { type TerminalStyle, terminalText } from '../../contract/report/terminal.ts';
import type { ProbeResult } from '../../contract/round/attempt.ts';
import { count, jsonText } from '../../contract/words.ts';
import { payloadProbe } from '../round/plan.ts';
import type { TargetRound } from './round.ts';

/** What `--json` writes, as `schemas/probe-report.json` describes it. */
export function formatDocument(rounds: readonly TargetRound[], exit: ExitCode): string {
  const toJson = (round: TargetRound) => roundJson(round, createReportContext(round));
  const targets = rounds.map((round) => ({ name: round.target.name, ...toJson(round) }));
  return jsonText({ exit, targets, version: 1 });
}

/** What a user reads at the end: the gate's report on each target, and how many targets have which verdict. */
export function formatReport(rounds: readonly TargetRound[], style: TerminalStyle): string {
  const texts = rounds.map((round) => {
    const report = createReport(round, createReportContext(round));
    // A round never verifies every clause, so only prevented checks make its success weak.
    const isWeak = round.clauses.some(({ cause }) => cause === 'prevented');
    const mark = round.exit === 0 && !isWeak ? 'holds' : report.mark;
    const heading = rounds.length > 1 ? `\n${style.paint('bold', round.target.name)}\n` : '';
    return heading + terminalText({ ...report, mark }, style);
  });
  if (rounds.length > 1) texts.push(`\n${style.paint('bold', summary(rounds))}\n`);
  return texts.join('');
}

function createReportContext({ target, results }: TargetRound) {
  const { name, connection, endpoints, settingNames } = target;
  // The target of a file has a name, which selects it.
  const options = settingNames === undefined ? '' : ` --target ${quotedWord(name)}`;
  return {
    target: name === 'sandbox' ? name : connection.origin.href,
    endpoints: endpoints.map(endpointName),
    again: `${commandAgain('probe')}${options}`,
    checks: results.filter(({ probe }) => probe === payloadProbe).map(toCheck),
  };
}

/** No clause is about payloads, but the target's owner has a schema for them. */
function toCheck({ probe, endpoint, outcome, unproven, detail = unproven }: ProbeResult): Check {
  const holds = outcome === 'passed' && unproven === undefined ? 'holds' : 'unverified';
  return {
    title: probe.name,
    place: endpoint,
    verdict: outcome === 'failed' ? 'violated' : holds,
    findings: detail === undefined ? [] : [detail],
  };
}

function summary(rounds: readonly TargetRound[]): string {
  const words = ['without a violation', 'violated', 'not judged', 'with a defect of this suite'];
  const counts = words.flatMap((word, code) => {
    const many = rounds.filter(({ exit }) => exit === code).length;
    return many === 0 ? [] : `${many} ${word}`;
  });
  return `${count(rounds.length, 'target')} · ${counts.join(', ')}`;
}
