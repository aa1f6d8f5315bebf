import {
  type Answer,
  altered,
  type Fault,
  notTheEnvelope,
  type Violated,
  withMembers,
} from './fault.ts';

/** Another body with the correct status. */
export const body = (
  name: string,
  text: string | Buffer | ((text: string, answer: Answer) => string | Buffer),
  violated: Violated = notTheEnvelope,
): Fault =>
  altered(
    name,
    (answer) => ({
      body: Buffer.from(typeof text === 'function' ? text(answer.body.toString(), answer) : text),
    }),
    violated,
  );

const page = '<!doctype html><title>Welcome</title><p>It works!';

const notJson: readonly Fault[] = [
  body('empty body', ''),
  body('an HTML page', page),
  body('an array', (text) => `[${text}]`),
  body('a number', '1e400'),
  body('a string', (text) => JSON.stringify(text)),
  body('null', 'null'),
  body('an object without members', '{}'),
  body('JSON that is cut', (text) => text.slice(0, -3)),
  body('JSON with text behind it', (text) => `${text} ok`),
  body('JSON twice', (text) => text + text),
  body('JSON with a trailing comma', (text) => text.replace(/}$/, ',}')),
  body('JSON with a comment', (text) => `/* ok */ ${text}`),
  body('JSON in single quotes', (text) => text.replaceAll('"', "'")),
  body('JSON with NaN', (text) => text.replace('{', '{"load":NaN,')),
  body('JSON behind a guard', (text) => `)]}',\n${text}`),
  body('JSON with a zero byte behind it', (text) => `${text}\0`),
  body('UTF-16', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')),
  body('bytes that are not UTF-8', (text) =>
    Buffer.from(text.replace('{', '{"\xff":1,'), 'latin1'),
  ),
];

const accepted: readonly Fault[] = [
  body('JSON behind a byte order mark', (text) => `\ufeff${text}`, {}),
  body('JSON between blank lines', (text) => `\r\n\t ${text}\n\n`, {}),
  body(
    'JSON with a name twice',
    (text) => text.replace('{', '{"success":"no","success":null,'),
    {},
  ),
  body('a further member', (_, answer) => withMembers(answer, { extra: [1, { a: null }] }), {}),
  body('a member __proto__', (text) => text.replace('{', '{"__proto__":{"success":1},'), {}),
  body(
    'a further member with control characters',
    (_, answer) => withMembers(answer, { '\x1b[2J\0': '\u202e\x07' }),
    {},
  ),
];

const members: readonly Fault[] = [
  body('success is a string', (text) => text.replace(/"success":(\w+)/, '"success":"$1"')),
  body('success is missing', (_, answer) => withMembers(answer, { success: undefined })),
  body('success is the opposite', (text) =>
    text.replace(/"success":(\w+)/, (_, is) => `"success":${is !== 'true'}`),
  ),
  body('names in capital letters', (text) =>
    text.replaceAll(/"(success|message|data)":/g, (name) => name.toUpperCase()),
  ),
  body('message is missing', (_, answer) => withMembers(answer, { message: undefined })),
  body('message is null', (_, answer) => withMembers(answer, { message: null })),
  body('message is an object', (_, answer) => withMembers(answer, { message: { text: 'no' } })),
];

const otherMessage: Violated = { refused: ['ERROR-3'] };

/** The envelope with another message: the contract fixes only that of the 401. */
export const saying = (name: string, text: string): Fault =>
  body(name, (_, answer) => withMembers(answer, { message: text }), otherMessage);

const messages: readonly Fault[] = [
  saying('message that is empty', ''),
  saying('message in another language', 'Недействительный токен'),
  saying('message with escape sequences', '\x1b]0;x\x07\x1b[2J\x1b[31mInvalid'),
  saying('message with line ends and a header', 'no\r\nSet-Cookie: a=b\r\n\r\n<script>'),
  saying('message with markup', '<img src=x onerror=alert(1)>"\'&</td>'),
  saying('message that turns the line around', '\u202e\u2066\u200bdilavnI'),
  saying('message with half a surrogate pair', '\ud800'),
];

/** The token itself, in an answer that is correct otherwise. */
const granting = (name: string, token: unknown, violated: Violated): Fault => ({
  ...body(name, (_, answer) => withMembers(answer, { data: { accessToken: token } }), violated),
  kinds: ['token'],
});

const noToken: Violated = { token: ['TOKEN-1'] };

const tokens: readonly Fault[] = [
  granting('token that is empty', '', noToken),
  granting('token that is null', null, noToken),
  granting('token that is a number', 12345, noToken),
  granting('token in a list', ['a-token'], noToken),
  granting('token with a space', 'two words', noToken),
  granting('token with a line end', 'a\r\nX-Injected: 1', noToken),
  granting('token with a zero byte', 'a\0b', noToken),
  granting('token with half a surrogate pair', 'a\ud800b', noToken),
  { ...body('no data', (_, answer) => withMembers(answer, { data: undefined })), kinds: ['token'] },
  { ...body('data is null', (_, answer) => withMembers(answer, { data: null })), kinds: ['token'] },
  { ...body('data is a list', (_, answer) => withMembers(answer, { data: [] })), kinds: ['token'] },
];

/** Faults of what a complete message carries. */
export const bodyFaults: readonly Fault[] = [
  ...notJson,
  ...accepted,
  ...members,
  ...messages,
  ...tokens,
];
