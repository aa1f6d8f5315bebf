import { type Answer, jsonOf } from '../../contract/http/answer.ts';
import { textIn } from '../../contract/json-value.ts';
import { lenientRegExp } from '../../contract/schema.ts';
import { type ExampleText, isAbout, leavesOf, matchersOf, placesOf } from '../lint/place.ts';
import type { Interaction } from '../pact.ts';

/**
 * Judges the rules about the form of a token, and of any other secret, in the body of a response. Pact's core sees only
 * the placeholder of a secret, so it would judge the placeholder's form. A secret that has the form is replaced by the
 * example of the pact, which has it too.
 * @param masked the body with placeholders
 * @param withoutSecrets replaces the secrets in a text by their placeholders
 * @returns the body for the core
 */
export function withJudgedForms(
  interaction: Interaction,
  answer: Answer,
  masked: string,
  withoutSecrets: (text: string) => string,
): string {
  const rules = matchersOf(interaction, 'response').flatMap((rule) => {
    const form = regularExpression(textIn(rule.document, 'regex'));
    return form === undefined ? [] : [{ rule, form }];
  });
  const json = jsonOf(answer);
  if (rules.length === 0 || json.is !== 'json') return masked;
  const examples = placesOf(interaction);
  return leavesOf(json.value).reduce((body, { path: steps, text }) => {
    const place: ExampleText = { side: 'response', category: 'body', steps, where: '', text };
    // Several rules for one place may be alternatives: they are left to the core.
    const [own, ...others] = rules.filter(({ rule }) => isAbout(rule, place));
    if (own === undefined || others.length > 0) return body;
    const placeholder = withoutSecrets(text);
    const written = JSON.stringify(placeholder);
    if (placeholder === text || body.split(written).length !== 2) return body;
    const { rule, form } = own;
    const shown = form.test(text)
      ? examples.find((one) => isAbout(rule, one))?.text
      : [placeholder, `${placeholder} in another form`, ''].find((one) => !form.test(one));
    return body.replace(written, () => JSON.stringify(shown ?? placeholder));
  }, masked);
}

/**
 * The core requires an expression to match the whole text. One that JavaScript cannot read, such as one of Rust, is
 * left to the core.
 */
function regularExpression(source: string | undefined): RegExp | undefined {
  if (source === undefined) return undefined;
  try {
    return lenientRegExp(`^(?:${source})$`, 'u');
  } catch {
    return undefined;
  }
}
