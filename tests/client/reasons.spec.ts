import { expect, test } from '@playwright/test';
import { type Reason, reasonOf, reasons, Unreachable } from '../../contract/http/unreachable.ts';

/** Error codes of node:net, dns, tls, http and zlib, and their reasons before and after the answer began. */
const codes: [before: Reason | undefined, after: Reason | undefined, codes: string][] = [
  ['dns', 'dns', 'ENOTFOUND EAI_AGAIN'],
  // A network policy such as Cilium's refuses the call itself, and so does a kernel without IPv6.
  ['connect', 'connect', 'ECONNREFUSED EHOSTUNREACH ENETUNREACH EPERM EAFNOSUPPORT'],
  ['timeout', 'timeout', 'ETIMEDOUT'],
  ['reset', 'truncated', 'ECONNRESET EPIPE ECONNABORTED'],
  ['truncated', 'truncated', 'ERR_STREAM_PREMATURE_CLOSE Z_BUF_ERROR'],
  ['protocol', 'protocol', 'Z_DATA_ERROR ERR__ERROR_FORMAT_PADDING_1 HPE_INVALID_CONSTANT'],
  ['too-large', 'too-large', 'HPE_HEADER_OVERFLOW ERR_BUFFER_TOO_LARGE'],
  ['tls', 'tls', 'CERT_HAS_EXPIRED CERT_NOT_YET_VALID DEPTH_ZERO_SELF_SIGNED_CERT EPROTO'],
  ['tls', 'tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ['tls', 'tls', 'ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_WRONG_VERSION_NUMBER'],
  // An error of the client itself is not an outage.
  [undefined, undefined, 'ERR_INVALID_CHAR ERR_INVALID_HTTP_TOKEN ERR_HTTP_HEADERS_SENT'],
  [undefined, undefined, 'ERR_STREAM_WRITE_AFTER_END ERR_INVALID_ARG_TYPE EMFILE'],
  [undefined, undefined, ''],
];

for (const [before, after, names] of codes)
  for (const code of names.split(' '))
    test(`the reason behind ${code || 'no code'}`, () => {
      expect(reasonOf(code, false)).toBe(before);
      expect(reasonOf(code, true)).toBe(after);
    });

test('each reason has its own meaning, in one line with the request', () => {
  const message = reasons.map((reason) => new Unreachable(reason, 'GET /x').message);
  expect(new Set(message).size).toBe(reasons.length);
  for (const line of message) expect(line).toMatch(/^GET \/x: [a-z][^\n]+$/i);
  expect(new Unreachable('timeout', 'GET /x', '10 ms')).toMatchObject({
    name: 'Unreachable',
    reason: 'timeout',
    message: 'GET /x: no complete answer in time (10 ms)',
  });
});
