/** What expressions see, such as `inputs` and `steps`; a context or an id that is not here is a mistake. */
export interface Contexts {
  readonly [context: string]: Context;
}

/** Values by their paths below the context: `outputs.verdict`. */
interface Context {
  readonly values: Readonly<Record<string, string>>;
  /** Names that may be asked for without being there, which then are empty; all, unless said. */
  readonly known?: readonly string[];
}

/** How the job stands where an expression is read. */
export type JobStatus = 'success' | 'failure' | 'cancelled';

/** Replaces each expression of a text by its value, as GitHub does. @throws where GitHub would quietly say nothing */
export const interpolated = (text: string, contexts: Contexts): string =>
  text.replace(/\$\{\{(.*?)\}\}/gs, (_, expression: string) =>
    String(evaluated(expression, contexts, 'success')),
  );

/** Whether a condition holds. One that asks for no standing holds after successes only. */
export function isMet(condition: string, contexts: Contexts, standing: JobStatus): boolean {
  const expression = /^\$\{\{(.*)\}\}$/s.exec(condition.trim())?.[1] ?? condition;
  const asksForStanding = /\b(always|cancelled|failure|success)\(\)/.test(expression);
  const value = evaluated(expression, contexts, standing);
  return truthy(value) && (asksForStanding || standing === 'success');
}

type Value = string | boolean;

const truthy = (value: Value): boolean => value !== false && value !== '';

const token = /\s*('(?:[^']|'')*'|[A-Za-z_][\w.-]*(?:\(\))?|&&|\|\||==|!=|!|\(|\)|$)/y;

/** The forms that are used here: comparisons of texts, `!`, `&&`, `||`, brackets, contexts, standings. */
function evaluated(expression: string, contexts: Contexts, standing: JobStatus): Value {
  const tokens = tokensOf(expression);
  const taken = (sign: string): boolean => tokens[0] === sign && tokens.shift() !== undefined;

  function either(): Value {
    let left = both();
    while (taken('||')) {
      const right = both();
      left = truthy(left) ? left : right;
    }
    return left;
  }
  function both(): Value {
    let left = compared();
    while (taken('&&')) {
      const right = compared();
      left = truthy(left) ? right : left;
    }
    return left;
  }
  function compared(): Value {
    const left = single();
    if (taken('==')) return same(left, single());
    return taken('!=') ? !same(left, single()) : left;
  }
  function single(): Value {
    if (taken('!')) return !truthy(single());
    if (!taken('(')) return read(tokens.shift() ?? '', contexts, standing);
    const value = either();
    if (!taken(')')) throw new Error(`a bracket stays open in ${expression}`);
    return value;
  }

  const value = either();
  if (tokens.length > 0) throw new Error(`${tokens.join(' ')} is left over in ${expression}`);
  return value;
}

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  for (token.lastIndex = 0; token.lastIndex < expression.length; ) {
    const at = token.lastIndex;
    const found = token.exec(expression)?.[1];
    if (found === undefined) throw new Error(`no such form is known: ${expression.slice(at)}`);
    if (found !== '') tokens.push(found);
  }
  return tokens;
}

/** GitHub compares texts without regard to case. */
const same = (left: Value, right: Value): boolean =>
  String(left).toLowerCase() === String(right).toLowerCase();

function read(word: string, contexts: Contexts, standing: JobStatus): Value {
  if (word.startsWith("'")) return word.slice(1, -1).replaceAll("''", "'");
  if (word === 'true' || word === 'false') return word === 'true';
  if (word === 'always()') return true;
  if (word.endsWith('()')) return `${standing}()` === word;
  const [name = '', ...rest] = word.split('.');
  const context = contexts[name];
  if (context === undefined || rest.length === 0) throw new Error(`there is no ${word}`);
  const [first = ''] = rest;
  if (context.known !== undefined && !context.known.includes(first))
    throw new Error(`there is no ${word}: ${name} knows ${context.known.join(', ')}`);
  return context.values[rest.join('.')] ?? '';
}
