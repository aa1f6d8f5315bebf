import { expect, test } from '@playwright/test';
import { type Reason, reasonOf, reasons, Unreachable } from '../../contract/http/unreachable.ts';

/** Error codes of node:net, dns, tls, http and zlib, and their reasons before and after the answer began. */
const codes: [code: string, before: Reason | undefined, after: Reason | undefined][] = [
  ['ENOTFOUND', 'dns', 'dns'],
  ['EAI_AGAIN', 'dns', 'dns'],
  ['ECONNREFUSED', 'connect', 'connect'],
  ['EHOSTUNREACH', 'connect', 'connect'],
  ['ENETUNREACH', 'connect', 'connect'],
  // A network policy such as Cilium's refuses the call itself, and so does a kernel without IPv6.
  ['EPERM', 'connect', 'connect'],
  ['EAFNOSUPPORT', 'connect', 'connect'],
  ['ETIMEDOUT', 'timeout', 'timeout'],
  ['ECONNRESET', 'reset', 'truncated'],
  ['EPIPE', 'reset', 'truncated'],
  ['ECONNABORTED', 'reset', 'truncated'],
  ['ERR_STREAM_PREMATURE_CLOSE', 'truncated', 'truncated'],
  ['Z_BUF_ERROR', 'truncated', 'truncated'],
  ['Z_DATA_ERROR', 'protocol', 'protocol'],
  ['ERR__ERROR_FORMAT_PADDING_1', 'protocol', 'protocol'],
  ['HPE_INVALID_CONSTANT', 'protocol', 'protocol'],
  ['HPE_HEADER_OVERFLOW', 'too-large', 'too-large'],
  ['ERR_BUFFER_TOO_LARGE', 'too-large', 'too-large'],
  ['CERT_HAS_EXPIRED', 'tls', 'tls'],
  ['CERT_NOT_YET_VALID', 'tls', 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', 'tls'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls', 'tls'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls', 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls', 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls', 'tls'],
  ['EPROTO', 'tls', 'tls'],
  // An error of the client itself is not an outage.
  ['ERR_INVALID_CHAR', undefined, undefined],
  ['ERR_INVALID_HTTP_TOKEN', undefined, undefined],
  ['ERR_HTTP_HEADERS_SENT', undefined, undefined],
  ['ERR_STREAM_WRITE_AFTER_END', undefined, undefined],
  ['ERR_INVALID_ARG_TYPE', undefined, undefined],
  ['EMFILE', undefined, undefined],
  ['', undefined, undefined],
];

for (const [code, before, after] of codes)
  test(`the reason behind ${code || 'no code'}`, () => {
    expect([reasonOf(code, false), reasonOf(code, true)]).toEqual([before, after]);
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
