import { randomBytes, randomUUID } from 'node:crypto';
import { right } from '../../sandbox/behaviour.ts';
import { fault, foundWhen, htmlPage, type Mutant, type Variant } from './fault.ts';
import { decodedBy } from './request-parts.ts';

/** A token is looked up after a change of the text, and as it is. */
const after = (name: string, means: string, change: (sent: string) => string): Mutant =>
  fault(`token-${name}`, means, () => foundWhen((made, sent) => change(sent) === made));

const notAscii = /[^\x20-\x7e]/g;

const decoded = decodedBy(decodeURIComponent);

const withoutHyphens = (text: string): string => text.replaceAll('-', '');

/** Signs around or in a token are cut off, removed, decoded or taken for one another. */
export const tokenWrappingMutants: readonly Mutant[] = [
  after(
    'cut-at-a-comma',
    'Of a list the first element is the token, as in Laravel',
    (sent) => sent.split(',')[0] ?? '',
  ),
  after('cut-at-a-semicolon', 'A token ends at a semicolon', (sent) => sent.split(';')[0] ?? ''),
  after(
    'by-an-open-pattern',
    'A pattern without an end finds the token at the beginning of the text',
    (sent) => /^[\w.~+/-]+=*/.exec(sent)?.[0] ?? '',
  ),
  after('in-quotes', 'Quotes around a token are removed', (sent) => sent.replace(/^"(.*)"$/, '$1')),
  after('in-brackets', 'Angle brackets around a token are removed', (sent) =>
    sent.replace(/^<(.*)>$/, '$1'),
  ),
  after('percent-decoded', 'A token is percent-decoded', decoded),
  after('without-other-octets', 'Whatever is not ASCII is removed from a token', (sent) =>
    sent.replace(notAscii, ''),
  ),
  after('in-base64', 'A token may be in base64', (sent) => Buffer.from(sent, 'base64').toString()),
  fault('token-without-hyphens', 'Hyphens in a token do not count', () => ({
    ...foundWhen((made, sent) => withoutHyphens(made) === withoutHyphens(sent)),
    // Without an underscore, because next to a hyphen the two could change places; and without a hyphen at an end,
    // because a token that is shortened by it would be the same.
    mint: (state, now) => right.mint(state, now).replaceAll('_', 'x').replace(/^-|-$/g, 'x'),
  })),
  fault(
    'like-token-of-one-character',
    'A token is looked up with LIKE, in which an underscore fits any character',
    () =>
      foundWhen((made, sent) =>
        new RegExp(`^${sent.replace(/[^\w-]/g, '\\$&').replaceAll('_', '.')}$`).test(made),
      ),
  ),
  fault('token-hyphen-as-underscore', 'Hyphen and underscore in a token are the same', () => ({
    ...foundWhen((made, sent) => made.replaceAll('_', '-') === sent.replaceAll('_', '-')),
    mint(state, now) {
      for (;;) {
        const text = right.mint(state, now);
        if (/[-_]/.test(text)) return text;
      }
    },
  })),
];

/** Tokens that a lenient decoder reads, and firewalls that odd signs stop. */
export const tokenWrappingVariants: readonly Variant[] = [
  fault(
    'signs-beyond-base64-skipped',
    'Tokens are base64url, and looked up by the bytes of a decoder that skips other signs',
    () => ({
      find: (text, state, call) =>
        right.find(Buffer.from(text, 'base64url').toString('base64url'), state, call),
    }),
  ),
  fault(
    'hyphens-skipped-in-base64',
    'Tokens are base64 of the old alphabet, whose decoder skips hyphens like other signs',
    () => ({
      mint: () => randomBytes(33).toString('base64'),
      find: (text, state, call) => right.find(text.replace(/[^A-Za-z0-9+/]/g, ''), state, call),
    }),
  ),
  fault(
    'hex-tokens-up-to-another-sign',
    'Tokens are hexadecimal numbers, and looked up by the bytes before any other sign',
    () => ({
      mint: () => randomBytes(32).toString('hex'),
      find: (text, state, call) =>
        right.find(Buffer.from(text, 'hex').toString('hex'), state, call),
    }),
  ),
  fault(
    'uuid-tokens-with-free-hyphens',
    'Tokens are UUIDs, which a database reads in braces, in any case and with any hyphens',
    () => ({
      mint: () => randomUUID(),
      find(text, state, call) {
        const digits = withoutHyphens(text.toLowerCase().replace(/^\{(.*)\}$/, '$1'));
        const groups = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(digits)?.slice(1) ?? [];
        return right.find(groups.join('-'), state, call);
      },
    }),
  ),
  fault(
    'tokens-in-percent-encoding',
    'Tokens are percent-encoded base64, and looked up decoded',
    () => ({
      mint: () => encodeURIComponent(randomBytes(31).toString('base64')),
      find: (text, { tokens }) =>
        [...tokens.values()].find((issued) => decoded(issued.text) === decoded(text)),
    }),
  ),
  ...[400, 403].map((status) =>
    fault(
      `odd-tokens-${status}`,
      `A firewall answers ${status} to commas, quotes and octets beyond ASCII in a token`,
      () => ({
        finish: (reply, { headers: { authorization = '' } }) =>
          /^Bearer (".*"|%.*|\S*([,;<>]|[^\0-\x7f])\S*)$/.test(authorization)
            ? htmlPage(status, '<h1>Blocked</h1>')
            : reply,
      }),
    ),
  ),
];
