/*
 * Replaces `gh` in the tests of the workflows. It keeps issues in the file that GH_STATE names, records each call,
 * and refuses what the real `gh` would refuse. Exit code 4 is the real one's code for a missing login.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

export interface Issue {
  number: number;
  title: string;
  body: string;
  state: 'open' | 'closed';
  labels: string[];
  comments: string[];
}

/** The state of the forge, and the calls to it. */
export interface Forge {
  calls: string[];
  labels: string[];
  issues: Issue[];
  /** A verb that fails, as when GitHub is down. */
  broken?: string;
}

const mostCharacters = 65_536;

function main(): number {
  const { GH_STATE: file = '', GH_TOKEN: token = '', GH_REPO: repository = '' } = process.env;
  if (token === '' || repository === '') return failed('gh: to use GitHub CLI, set GH_TOKEN', 4);
  const forge: Forge = JSON.parse(readFileSync(file, 'utf8'));
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      title: { type: 'string' },
      label: { type: 'string' },
      state: { type: 'string' },
      json: { type: 'string' },
      limit: { type: 'string' },
      comment: { type: 'string' },
      description: { type: 'string' },
      'body-file': { type: 'string' },
    },
  });
  const [noun = '', verb = '', one = ''] = positionals;
  forge.calls.push([noun, verb, one].join(' ').trim());
  const code =
    forge.broken === verb
      ? failed('HTTP 503: Service Unavailable', 1)
      : done(forge, `${noun} ${verb}`, one, values);
  writeFileSync(file, JSON.stringify(forge));
  return code;
}

function done(
  forge: Forge,
  what: string,
  one: string,
  {
    title = '',
    label = '',
    comment = '',
    limit = '30',
  }: Readonly<Record<string, string | undefined>>,
): number {
  const body = (): string => readFileSync(0, 'utf8');
  if (what === 'label create') return made(forge, one);
  if (what === 'issue list') {
    const open = forge.issues.filter(
      ({ state, labels }) => state === 'open' && labels.includes(label),
    );
    const latest = open.toSorted((one, other) => other.number - one.number);
    return say(JSON.stringify(latest.slice(0, Number(limit))));
  }
  if (what === 'issue create') {
    if (!forge.labels.includes(label))
      return failed(`could not add label: '${label}' not found`, 1);
    const number = forge.issues.length + 1;
    const text = body();
    forge.issues.push({ number, title, body: text, state: 'open', labels: [label], comments: [] });
    return say(`https://forge.example/issues/${number}`, text.length);
  }
  const issue = forge.issues.find(({ number }) => String(number) === one);
  if (issue === undefined) return failed(`no issue ${one}`, 1);
  if (what === 'issue edit') issue.body = body();
  else if (what === 'issue comment') issue.comments.push(body());
  else if (what === 'issue close') {
    issue.state = 'closed';
    issue.comments.push(comment);
  } else return failed(`unknown command ${what}`, 1);
  return say('', issue.body.length);
}

function made(forge: Forge, label: string): number {
  if (forge.labels.includes(label)) return failed(`label with name "${label}" already exists`, 1);
  forge.labels.push(label);
  return 0;
}

function say(text: string, characters = 0): number {
  if (characters > mostCharacters)
    return failed('body is too long (maximum is 65536 characters)', 1);
  process.stdout.write(`${text}\n`);
  return 0;
}

function failed(why: string, code: number): number {
  process.stderr.write(`${why}\n`);
  return code;
}

process.exitCode = main();
