import type { Rule, SourceFile } from '../house/tree.ts';
import {
  type Action,
  actionOf,
  type Job,
  type Step,
  triggersOf,
  type Workflow,
  workflowOf,
} from './document.ts';

const longestScript = 10;

interface Read {
  readonly path: string;
  readonly text: string;
  readonly steps: readonly Step[];
  /** Empty for an action. */
  readonly jobs: readonly (readonly [name: string, job: Job])[];
  readonly workflow?: Workflow;
  readonly action?: Action;
}

function read({ path, text }: SourceFile): Read {
  if (!path.includes('.github/')) {
    const action = actionOf(text);
    return { path, text, action, jobs: [], steps: action.runs.steps };
  }
  const workflow = workflowOf(text);
  const jobs = Object.entries(workflow.jobs);
  return { path, text, workflow, jobs, steps: jobs.flatMap(([, job]) => job.steps ?? []) };
}

/** A rule that checks one file after the other. @param of returns what is wrong with a file, without its path */
const each =
  (of: (file: Read) => readonly string[]): Rule =>
  (files) =>
    files.flatMap((file) => of(read(file)).map((line) => `${file.path}: ${line}`));

const eachJob = (of: (job: Job) => string | undefined): Rule =>
  each(({ jobs }) =>
    jobs.flatMap(([name, job]) => {
      const line = of(job);
      return line === undefined ? [] : [`job ${name} ${line}`];
    }),
  );

const quoted = (text: string): string => JSON.stringify(text.trim().split('\n', 1)[0]);

export const actionsArePinned: Rule = each(({ text, jobs, steps }) => {
  const used = [...steps, ...jobs.map(([, job]) => job)].flatMap(({ uses }) => uses ?? []);
  return used
    .filter((uses) => !uses.startsWith('./'))
    .filter((uses) => {
      const [, name, commit] = /^([\w.-]+\/[\w./-]+)@([0-9a-f]{40})$/.exec(uses) ?? [];
      return name === undefined || !new RegExp(`@${commit} # v\\d+\\.\\d+\\.\\d+\\n`).test(text);
    })
    .map((uses) => `${uses} can move: pin it by its commit, with the version as a comment`);
});

export const nothingIsPermittedAtTheTop: Rule = each(({ workflow }) =>
  workflow === undefined || JSON.stringify(workflow.permissions) === '{}'
    ? []
    : ['say permissions: {} at the top, and what a job needs in the job'],
);

export const jobsSayWhatTheyMay: Rule = eachJob(({ permissions }) =>
  typeof permissions === 'object' ? undefined : 'does not list its permissions: name the least',
);

export const jobsEnd: Rule = eachJob((job) =>
  job.uses !== undefined || job['timeout-minutes'] !== undefined
    ? undefined
    : 'has no timeout-minutes: a job that hangs costs six hours',
);

export const runsDoNotMeet: Rule = each(({ workflow }) =>
  workflow === undefined || workflow.concurrency !== undefined
    ? []
    : ['it has no concurrency group: say which of its runs may not meet'],
);

/** Without a queue GitHub cancels a call that waits: the caller fails without a result. */
export const callersGetTheirTurn: Rule = each(({ workflow }) => {
  if (workflow === undefined || !Object.hasOwn(triggersOf(workflow), 'workflow_call')) return [];
  const { concurrency } = workflow;
  return concurrency === undefined || JSON.stringify(concurrency).includes('"queue":"max"')
    ? []
    : ['a call that waits is cancelled by the next one: say queue: max in its concurrency'];
});

export const noExpressionIsInAScript: Rule = each(({ steps }) =>
  steps
    .flatMap(({ run }) => run ?? [])
    .filter((run) => run.includes('${{'))
    .map((run) => `${quoted(run)} has an expression: pass it by env:, a shell would run it`),
);

export const scriptsAreShort: Rule = each(({ steps }) =>
  steps
    .flatMap(({ run }) => run ?? [])
    .filter((run) => run.trimEnd().split('\n').length > longestScript)
    .map((run) => `${quoted(run)} is long: make it a program that can be tested`),
);

export const foreignCodeGetsNoSecrets: Rule = each(({ workflow }) => {
  if (workflow === undefined) return [];
  return Object.keys(triggersOf(workflow))
    .filter((trigger) => ['pull_request_target', 'workflow_run'].includes(trigger))
    .map((trigger) => `${trigger} runs what a stranger wrote with our secrets: do without`);
});

export const checkoutsKeepNoToken: Rule = each(({ steps }) =>
  steps
    .filter(({ uses }) => uses?.startsWith('actions/checkout@'))
    .filter((step) => step.with?.['persist-credentials'] !== false)
    .map(({ uses }) => `${uses} leaves its token in .git: say persist-credentials: false`),
);

/** Secrets are in `env:` of the step that needs them, not in a script, in `with:`, or in the `env:` of all steps. */
export const secretsGoToOneStep: Rule = each(({ text, workflow, jobs, steps, action }) => {
  const mentions = (part: unknown): number =>
    JSON.stringify(part ?? '').match(/\bsecrets[.[]/g)?.length ?? 0;
  if (action !== undefined)
    return mentions(text) === 0 ? [] : ['an action sees no secrets: take them by the environment'];
  const passed = jobs.map(([, job]) => ('secrets' in job ? job.secrets : ''));
  const placed = [...steps.map(({ env }) => env), ...passed].map(mentions);
  return mentions(workflow) > placed.reduce((sum, one) => sum + one, 0)
    ? ['a secret stands elsewhere than in env: of the step that needs it: move it there']
    : [];
});

export const theActionIsDescribedAndComposite: Rule = each(({ action }) => {
  if (action === undefined) return [];
  const message: [who: string, { readonly description?: string }][] = [
    ['it', action],
    ...named('input', action.inputs),
    ...named('output', action.outputs),
  ];
  return [
    ...(action.runs.using === 'composite' ? [] : ['it is not composite']),
    ...message.filter(([, { description }]) => !description).map(([who]) => `${who} says nothing`),
    ...action.runs.steps
      .filter(({ run, shell }) => run !== undefined && shell !== 'bash')
      .map(({ run = '' }) => `${quoted(run)} has no shell: bash`),
  ];
});

const named = <One>(what: string, all: Readonly<Record<string, One>> = {}): [string, One][] =>
  Object.entries(all).map(([name, one]) => [`${what} ${name}`, one]);
