import { readFileSync } from 'node:fs';

/** The version of this suite. */
export const { version }: { readonly version: string } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
);

/**
 * Who sends a request (RFC 9110 10.1.5): `public-api-contract/1.2.3 (+ops@example.com)`.
 * @param contact where the provider's operators may write to
 */
export const userAgent = (contact: string | undefined): string =>
  `public-api-contract/${version}${contact === undefined ? '' : ` (+${quotedPairs(contact)})`}`;

/** Escapes characters that would end a comment or begin another one (RFC 9110 5.6.5). */
const quotedPairs = (text: string): string => text.replace(/[()\\]/g, '\\$&');
