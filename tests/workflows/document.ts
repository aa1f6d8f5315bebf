import { parse } from 'yaml';

/** A step of a job or of a composite action. */
export interface Step {
  readonly id?: string;
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, string | number | boolean>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly shell?: string;
  readonly run?: string;
}

export interface Job {
  readonly uses?: string;
  readonly if?: string;
  readonly 'timeout-minutes'?: number;
  readonly permissions?: Readonly<Record<string, string>> | string;
  readonly env?: unknown;
  readonly outputs?: Readonly<Record<string, string>>;
  readonly steps?: readonly Step[];
}

interface Input {
  readonly description?: string;
  readonly required?: boolean;
  readonly default?: string | boolean;
}

/** A trigger of a workflow; `workflow_call` and `workflow_dispatch` have inputs. */
export interface Trigger {
  readonly inputs?: Readonly<Record<string, Input>>;
  readonly secrets?: Readonly<Record<string, unknown>>;
}

/** A file below `.github/workflows`: the parts that tests use. */
export interface Workflow {
  readonly on: Readonly<Record<string, Trigger | null>> | readonly string[] | string;
  readonly permissions?: unknown;
  readonly concurrency?: unknown;
  readonly env?: unknown;
  readonly jobs: Readonly<Record<string, Job>>;
}

/** `action.yml` of a composite action. */
export interface Action {
  readonly name?: string;
  readonly description?: string;
  readonly inputs?: Readonly<Record<string, Input>>;
  readonly outputs?: Readonly<
    Record<string, { readonly description?: string; readonly value: string }>
  >;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

/** The triggers of a workflow, in any of the notations. */
export function triggersOf({ on }: Workflow): Readonly<Record<string, Trigger | null>> {
  if (typeof on === 'string') return { [on]: null };
  return isList(on) ? Object.fromEntries(on.map((name) => [name, null])) : on;
}

const isList = (on: Exclude<Workflow['on'], string>): on is readonly string[] => Array.isArray(on);

/** Reads a workflow. @throws for invalid YAML */
export const workflowOf = (text: string): Workflow => parse(text);

/** Reads an action. @throws for invalid YAML */
export const actionOf = (text: string): Action => parse(text);
