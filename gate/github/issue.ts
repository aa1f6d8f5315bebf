/*
 * Run by synthetic.yml after the gate: exactly one open issue reports a violation, as long as it lasts. VERDICT
 * and REPORT are the action's outputs; `gh` reads GH_TOKEN and GH_REPO. Exits 1 if `gh` fails.
 */
import { spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { command } from '../../contract/report/workflow.ts';
import { verdictsIn, violatedOf } from './evidence.ts';

const title = 'The public API violates its contract';
const label = 'contract';

/** GitHub accepts 65,536 characters; the text around the summary is far shorter than the difference. */
const mostCharacters = 60_000;

interface Issue {
  readonly number: number;
  readonly title: string;
  readonly body: string;
}

/** @returns the action that was taken, one line */
async function main(env: NodeJS.ProcessEnv): Promise<string> {
  const { VERDICT: verdict = '', REPORT: report = '' } = env;
  if (verdict !== 'violated' && verdict !== 'holds')
    return `The verdict is "${verdict}": issues stay as they are`;
  const run = `${env.GITHUB_SERVER_URL}/${env.GITHUB_REPOSITORY}/actions/runs/${env.GITHUB_RUN_ID}`;
  const verdicts = await verdictsIn(report);
  const issue = openIssue();
  if (verdict === 'holds') return held(issue, verdicts, run);
  const file = path.join(report, 'summary.md');
  const summary = await readFile(file, 'utf8').catch(() => `It is violated: ${run}`);
  return violated(issue, verdicts, summary, run);
}

/** The oldest of several open issues, so that a further one that a user opens stays unchanged. */
function openIssue(): Issue | undefined {
  const fields = ['--json', 'number,title,body', '--limit', '1000'];
  const issues: Issue[] = JSON.parse(
    gh(['issue', 'list', '--state', 'open', '--label', label, ...fields]),
  );
  return issues.filter((one) => one.title === title).sort((a, b) => a.number - b.number)[0];
}

/** A clause that was unverified this time may still be violated. */
function held(
  issue: Issue | undefined,
  verdicts: ReadonlyMap<string, string>,
  run: string,
): string {
  if (issue === undefined) return 'The contract holds, and no issue is open';
  const number = String(issue.number);
  const unknown = unverifiedOf(issue, verdicts);
  if (unknown.length > 0) return `#${number} stays open: ${unknown.join(', ')} was not verified`;
  gh(['issue', 'close', number, '--comment', `The contract holds again: ${run}`]);
  return `#${number} is closed: the contract holds again`;
}

function violated(
  issue: Issue | undefined,
  verdicts: ReadonlyMap<string, string>,
  summary: string,
  run: string,
): string {
  const ids = violatedOf(verdicts);
  const unknown = issue === undefined ? [] : unverifiedOf(issue, verdicts);
  const open = [...ids, ...unknown];
  const body = `<!-- violated: ${open.join(' ')} -->\n${within(summary)}\n\nLast seen by ${run}\n`;
  if (issue === undefined) {
    // If the label exists, this fails, and its colour stays. If it cannot be created, the next call reports that.
    spawnSync('gh', ['label', 'create', label, '--description', title], { stdio: 'ignore' });
    return gh(['issue', 'create', '--title', title, '--label', label, '--body-file', '-'], body);
  }
  const number = String(issue.number);
  const before = remembered(issue);
  gh(['issue', 'edit', number, '--body-file', '-'], body);
  if (before.toSorted().join() === open.toSorted().join()) return `#${number} stays unchanged`;
  const still = unknown.length === 0 ? '' : ` Not verified: ${unknown.join(', ')}.`;
  const change = `Now violated: ${ids.join(', ')}.${still} Before: ${before.join(', ')}. ${run}\n`;
  gh(['issue', 'comment', number, '--body-file', '-'], change);
  return `#${number} has a comment on the change`;
}

/** The clauses that the issue is about and that this run neither verified nor found violated. */
const unverifiedOf = (issue: Issue, verdicts: ReadonlyMap<string, string>): string[] =>
  remembered(issue).filter((id) => !/^(holds|violated)$/.test(verdicts.get(id) ?? ''));

/** The clauses that the issue is about, as its body keeps them. */
const remembered = ({ body }: Issue): string[] =>
  /^<!-- violated: (.*) -->/.exec(body)?.[1]?.split(' ') ?? [];

/** As many whole blocks of the summary as an issue can hold. */
function within(summary: string): string {
  let text = '';
  for (const block of summary.split(/(?=\n\n<details>)/)) {
    if (text.length + block.length > mostCharacters) return `${text}\n\nThe run has the rest.`;
    text += block;
  }
  return text.trimEnd();
}

/** Calls `gh`, which reports its errors itself. @param input its standard input @returns its output */
function gh(args: readonly string[], input = ''): string {
  const { status, stdout, error } = spawnSync('gh', args, {
    input,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout.trim();
  const [noun, verb] = args;
  throw new Error(`gh ${noun} ${verb} failed: ${error?.message ?? `exit code ${status}`}`);
}

try {
  process.stdout.write(`${await main(process.env)}\n`);
} catch (error) {
  const why = error instanceof Error ? error.message : String(error);
  process.stdout.write(`${command('error', 'The issue could not be kept up to date', why)}\n`);
  process.exitCode = 1;
}
