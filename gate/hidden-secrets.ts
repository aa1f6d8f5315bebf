import { isUtf8 } from 'node:buffer';
import type { TestInfo } from '@playwright/test';

/*
 * Playwright reports and records what tests compare, throw, print and attach, and in a team's own specs that may be a
 * secret. So its worker replaces the secrets that it knows before it sends a message to the reporters or writes a file.
 */

/** A text without secrets. */
type Scrub = (text: string) => string;

/** Fields by which Playwright finds tests and files. */
const unscrubbedFields = /^(file|method|path)$|Id$/;
const base64 = /^(base64|body|buffer)$/;

/** A message or a record of Playwright without secrets. */
const scrubMessage = (message: unknown, scrub: Scrub) =>
  JSON.parse(JSON.stringify(message), (key, value) => {
    if (typeof value !== 'string' || unscrubbedFields.test(key)) return value;
    return base64.test(key) ? scrubContent(value, scrub) : scrub(value);
  });

/** Pictures and other files that are not text stay. */
function scrubContent(content: string, scrub: Scrub): string {
  const bytes = Buffer.from(content, 'base64');
  return isUtf8(bytes) ? Buffer.from(scrub(bytes.toString())).toString('base64') : content;
}

/** From now on this worker sends no secret to the reporters. The overloads of `send` take no list of arguments. */
export function scrubMessages(scrub: Scrub): void {
  const { send } = process;
  if (send === undefined) return;
  process.send = (message: unknown, ...more: unknown[]) =>
    Reflect.apply(send, process, [scrubMessage(message, scrub), ...more]);
}

/** From now on the trace of a test gets no secret. `_tracing` is not in Playwright's types. @throws TypeError without it */
export function scrubTrace(testInfo: TestInfo, scrub: Scrub): void {
  const tracing = Reflect.get(testInfo, '_tracing');
  const append = tracing._appendTraceEvent.bind(tracing);
  tracing._appendTraceEvent = (event: unknown) => append(scrubMessage(event, scrub));
}

/** Replaces the secrets in the errors of a test, which Playwright writes to error-context.md. */
export function scrubErrors(testInfo: TestInfo, scrub: Scrub): void {
  for (const error of testInfo.errors) Object.assign(error, scrubMessage(error, scrub));
}
