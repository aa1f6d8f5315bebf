import { data, Evaluator, Lexer, Parser } from '@actions/expressions';
import { truthy } from '@actions/expressions/result';

/** The contexts of expressions, such as `inputs` and `steps`. A context or id that is not here is a mistake. */
export interface Contexts {
  readonly [context: string]: Context;
}

/** Values by their paths below the context: `outputs.verdict`. */
interface Context {
  readonly values: Readonly<Record<string, string>>;
  /** Names that may be used without being present, and are empty then; by default all. */
  readonly known?: readonly string[];
}

const statuses = ['success', 'failure', 'cancelled'] as const;

/** The status of the job when an expression is evaluated. */
export type JobStatus = (typeof statuses)[number];

/** Replaces each expression in a text by its value, like GitHub. @throws where GitHub silently uses an empty text */
export const interpolated = (text: string, contexts: Contexts): string =>
  text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    evaluated(expression, contexts, 'success').coerceString(),
  );

/** Whether a condition holds. Without a status function it holds only after successes. */
export function isMet(condition: string, contexts: Contexts, standing: JobStatus): boolean {
  const expression = /^\$\{\{(.*)\}\}$/s.exec(condition.trim())?.[1] ?? condition;
  const requestsStanding = /\b(always|cancelled|failure|success)\(\)/.test(expression);
  const isTrue = truthy(evaluated(expression, contexts, standing));
  return isTrue && (requestsStanding || standing === 'success');
}

function evaluated(expression: string, contexts: Contexts, standing: JobStatus) {
  const functions = ['always', ...statuses].map((name) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => new data.BooleanData(name === 'always' || name === standing),
  }));
  const { tokens } = new Lexer(expression).lex();
  const tree = new Parser(tokens, Object.keys(contexts), functions).parse();
  const all = Object.entries(contexts).map(([key, context]) => ({
    key,
    value: new Values(key, context),
  }));
  const named = new Map(functions.map((one) => [one.name, one]));
  return new Evaluator(tree, new data.Dictionary(...all), named).evaluate();
}

/** The values of a context, or those below a name in it. */
class Values extends data.Dictionary {
  readonly #name: string;
  readonly #context: Context;

  constructor(name: string, context: Context) {
    super();
    this.#name = name;
    this.#context = context;
  }

  override get(key: string): data.ExpressionData | undefined {
    const { values, known } = this.#context;
    if (known !== undefined && !known.includes(key))
      throw new Error(`there is no ${this.#name}.${key}: ${this.#name} knows ${known.join(', ')}`);
    const value = values[key];
    if (value !== undefined) return new data.StringData(value);
    const below = Object.entries(values).filter(([path]) => path.startsWith(`${key}.`));
    if (below.length === 0) return undefined;
    const rest = below.map(([path, one]) => [path.slice(key.length + 1), one]);
    return new Values(`${this.#name}.${key}`, { values: Object.fromEntries(rest) });
  }
}
