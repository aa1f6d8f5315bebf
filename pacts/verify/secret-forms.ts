import { type Answer, header, jsonOf } from '../../contract/http/answer.ts';
import { textIn } from '../../contract/json-value.ts';
import { lenientRegExp } from '../../contract/schema.ts';
import { exactOrUndefined } from '../exact.ts';
import type { Interaction } from '../pact.ts';
import {
  type Attachment,
  type ExampleText,
  isAbout,
  leavesOf,
  matchersOf,
  placesOf,
  withInner,
} from './place.ts';

/*
 * Rules about the form of a token, and of any other secret, in a response. Pact's core sees only the placeholder of a
 * secret, so it would judge the placeholder's form. A secret that has the form is replaced by the example of the pact,
 * which has it too.
 */

type Replace = (text: string) => string;

/**
 * Judges the forms of the secrets in the body of a response.
 * @param masked the body with placeholders
 * @param withoutSecrets replaces the secrets in a text by their placeholders
 * @returns the body for the core
 */
export function withJudgedForms(
  interaction: Interaction,
  answer: Answer,
  masked: string,
  withoutSecrets: Replace,
): string {
  const json = jsonOf(answer);
  const forms = formsIn(interaction);
  if (forms.length === 0) return masked;
  if (json.is !== 'json') {
    // Other types, such as XML, have rules for their parts.
    if (!/^text\/(?!xml)/i.test(header(answer, 'content-type') ?? '')) return masked;
    const text = answer.body.toString();
    const whole: ExampleText = { side: 'response', category: 'body', steps: [], where: '', text };
    return judgedText(interaction, forms, whole, withoutSecrets) ?? masked;
  }
  const judged = leavesOf(json.value).flatMap(({ path: steps, text }) => {
    const place: ExampleText = { side: 'response', category: 'body', steps, where: '', text };
    const shown = judgedText(interaction, forms, place, withoutSecrets);
    return shown === undefined ? [] : [{ steps, shown }];
  });
  if (judged.length === 0) return masked;
  const document = { body: exactOrUndefined(masked) };
  for (const { steps, shown } of judged) replaceAt(document, ['body', ...steps], shown);
  return document.body === undefined ? masked : JSON.stringify(document.body);
}

/** Judges the form of the secret in a header of a response. A list of values is left to the core. */
export function judgedHeader(
  interaction: Interaction,
  name: string,
  text: string,
  withoutSecrets: Replace,
): string {
  const place = { side: 'response', category: 'header', steps: [name], where: '', text } as const;
  const forms = text.includes(',') ? [] : formsIn(interaction);
  const shown = judgedText(interaction, forms, place, withoutSecrets);
  return shown ?? withoutSecrets(text);
}

interface Form {
  readonly rule: Attachment;
  readonly fits: (text: string) => boolean;
}

/** The text for the core in place of one with a secret; undefined if the core can judge it, or no rule is about it. */
function judgedText(
  interaction: Interaction,
  forms: readonly Form[],
  place: ExampleText,
  withoutSecrets: Replace,
): string | undefined {
  const own = forms.filter(({ rule }) => isAbout(rule, place));
  const placeholder = withoutSecrets(place.text);
  if (own.length === 0 || placeholder === place.text) return undefined;
  const fitsSome = own.some(({ fits }) => fits(place.text));
  const examples = placesOf(interaction).filter((one) =>
    own.some(({ rule }) => isAbout(rule, one)),
  );
  const candidates = [
    ...(fitsSome ? examples.map(({ text }) => text) : []),
    placeholder,
    `${placeholder} in another form`,
    '',
    shapeOf(place.text),
  ];
  // Several rules may be alternatives, so each of them must judge that text as it judges the secret.
  return candidates.find((text) => own.every(({ fits }) => fits(text) === fits(place.text)));
}

/** A text with the same length and kinds of characters, and without the secret. */
const shapeOf = (secret: string): string =>
  secret
    .replace(/\p{Lu}/gu, 'X')
    .replace(/\p{Ll}/gu, 'x')
    .replace(/\d/g, '7');

const formsIn = (interaction: Interaction): Form[] =>
  matchersOf(interaction, 'response')
    .flatMap(withInner)
    .flatMap((rule) => {
      const fits = formOf(rule.document);
      return fits === undefined ? [] : [{ rule, fits }];
    });

/** What the core requires of a text: that an expression matches all of it, or that it includes another. */
function formOf(rule: unknown): Form['fits'] | undefined {
  const part = textIn(rule, 'match') === 'include' ? textIn(rule, 'value') : undefined;
  if (part !== undefined) return (text) => text.includes(part);
  const source = textIn(rule, 'regex');
  const form = source === undefined ? undefined : regularExpression(`^(?:${source})$`);
  return form && ((text) => form.test(text));
}

/** An expression that JavaScript cannot read, such as one of Rust, is left to the core. */
function regularExpression(source: string): RegExp | undefined {
  try {
    return lenientRegExp(source, 'u');
  } catch {
    return undefined;
  }
}

/** Replaces a text in a JSON value. A field whose name is a secret has another name there, and stays unchanged. */
function replaceAt(value: unknown, [step = '', ...rest]: readonly string[], text: string): void {
  const inside = typeof value === 'object' ? Object(value) : {};
  if (!Object.hasOwn(inside, step)) return;
  if (rest.length === 0) inside[step] = text;
  else replaceAt(inside[step], rest, text);
}
