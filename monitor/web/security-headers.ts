import { isBadge } from './access-control.ts';

/** These pages load nothing from elsewhere, and run no inline script. */
const securityHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
};

/** Pages of other sites may show a public badge. */
const publicHeaders = { ...securityHeaders, 'Cross-Origin-Resource-Policy': 'cross-origin' };

/** The headers of every answer. @param url of the request */
export const headersFor = (
  url: string,
  hasPublicBadges: boolean,
): Readonly<Record<string, string>> =>
  hasPublicBadges && isBadge(URL.parse(url)?.pathname ?? '') ? publicHeaders : securityHeaders;
