import type { MustId } from '../../contract/clauses.ts';

/** The faults of lists that are not yet tables, by the clauses that they violate. */
const named: Readonly<Record<string, string>> = {
  'TOKEN-1':
    'message-absent message-null message-number success-absent success-text success-one success-false-with-token data-array data-is-the-token token-beside-data token-in-snake-case token-number token-empty token-null bare-token token-response-cut token-response-not-utf8 token-endpoint-fails reads-json-by-pattern page-where-json-is-not-named token-ends-with-a-line-break token-in-two-lines token-with-a-blank token-ends-with-a-blank token-begins-with-a-tab token-with-a-nul',
  'TOKEN-4 BEARER-1':
    'valid-after-a-second valid-after-the-first-try second-token-in-a-second-is-dead',
  'TOKEN-2 TOKEN-3':
    'any-secret any-key comparison-stops-at-the-shorter refusal-holds-a-token refusal-sets-a-token-cookie one-of-two-asks-for-no-secret',
  'TOKEN-2':
    'secret-begins-right secret-is-a-beginning key-is-a-beginning secret-contains-right last-character-ignored key-in-any-case secret-in-any-case secret-trimmed secret-ended-by-nul either-way-round key-is-enough halves-joined secret-is-enough wildcard-secret like-secret sql-secret operator-secret secret-is-its-hash secret-is-its-md5 secret-in-base64 secret-percent-decoded secret-html-decoded secret-tags-stripped secret-in-quotes secret-in-unicode-form key-in-composed-form key-without-accents key-without-dashes secret-blanks-collapsed secret-invisible-signs-ignored key-cut-and-trimmed first-character-of-the-secret-ignored middle-of-the-secret-ignored like-key comment-behind-the-key orm-operator-secret',
  'TOKEN-3':
    'secret-as-bytes secret-as-characters last-of-several-secrets column-for-a-secret unset-pair unknown-key-and-null unknown-key-and-undefined credentials-by-basic valid-token-gets-another expired-token-gets-another refresh-token-gets-a-token true-equals-anything absent-secret-of-nobody array-equals-its-text null-secret zero-secret empty-secret absent-secret absent-key snake-case-fields nested-fields array-body json-in-json no-body-is-a-guest empty-object-gets-a-token one-of-two-takes-an-absent-secret',
  'BEARER-1 TOKEN-4':
    'refuses-everything second-endpoint-refuses-everything two-that-share-no-tokens',
  'BEARER-1':
    'one-use twenty-five-uses a-hundred-uses token-in-use-is-refused token-bound-to-its-first-endpoint token-bound-to-its-first-user-agent token-bound-to-its-first-accept token-ended-by-another-user-agent valid-token-refused-with-a-query valid-token-refused-with-a-cookie valid-token-refused-behind-a-proxy valid-token-refused-without-user-agent valid-token-refused-over-http-1-0 valid-token-refused-in-chunks small-header-name-refused capital-header-name-refused refused-connection-remembered',
  'BEARER-6':
    'refusal-ends-the-newest-token ten-refusals-end-all-tokens token-ended-by-its-forgery fifty-refusals-at-once-end-all-tokens refused-credentials-end-all-tokens thirty-refused-credentials-end-all-tokens token-ended-by-query token-ended-by-cookie token-ended-by-basic refusal-cached',
  'BEARER-2 BEARER-3 BEARER-4 BEARER-5 EXPIRY-2 EXPIRY-4': 'second-endpoint-unguarded',
  'BEARER-2 BEARER-5': 'no-header-no-check one-of-two-lets-in-without-a-token',
  'BEARER-2':
    'empty-header-no-check scheme-alone-is-enough token-in-query-access-token token-in-query-token token-in-cookie-access-token token-in-query-api-token token-in-cookie-access-token-cookie token-in-cookie-session token-in-x-access-token token-in-x-api-key token-in-forwarded-authorization token-in-proxy-authorization token-in-form-body token-in-json-body token-in-x-goog-iap-jwt-assertion token-in-cf-access-jwt-assertion token-in-private-token token-in-x-authorization token-in-x-amz-security-token token-in-sessionid token-in-x-serverless-authorization-with-scheme token-in-http-authorization-with-scheme token-in-authorisation-with-scheme token-in-token-with-scheme token-in-basic-in-authentication token-in-referer token-in-query-jwt token-in-query-key token-in-query-capital-token token-in-query-with-scheme token-in-query-in-any-case token-in-next-auth-cookie token-in-access-cookie token-in-connect-cookie token-in-cookie-with-scheme token-in-json-jwt token-in-nested-json token-in-headers-in-json token-in-form-with-scheme token-in-multipart-form token-in-subprotocol token-in-upgraded-subprotocol token-in-encoded-subprotocol token-in-upgraded-query token-in-path-parameter token-in-segment-before token-in-segment-behind token-switches-protocols trailing-slash-unguarded doubled-slash-unguarded dot-segments-unguarded path-parameters-unguarded encoded-letters-unguarded capitals-unguarded suffix-unguarded token-path-anywhere-unguarded head-unguarded options-unguarded method-override-unguarded method-override-fools-the-guard original-url-unguarded rewrite-url-fools-the-guard local-address-trusted forwarded-trusted http-1-0-unguarded chunked-unguarded one-in-fifty open-under-load session-cookie session-cookie-of-the-login static-files-cached-for-all true-client-address-trusted private-addresses-trusted ipv6-loopback-trusted forwarded-host-trusted own-host-trusted remote-user-trusted any-user-id-trusted root-trusted identity-of-a-balancer-trusted certificate-said-to-be-verified mesh-certificate-trusted internal-requests-trusted middleware-skipped authentication-skipped probes-of-a-cluster-trusted crawlers-trusted own-pages-trusted prefetch-unguarded prefetch-of-a-router-unguarded front-door-trusted gateway-event-trusted scripts-trusted same-origin-trusted websocket-unguarded h2c-unguarded expectation-unguarded preflight-headers-unguarded authorization-dropped-on-the-way http-1-0-without-host-unguarded method-in-the-query-unguarded method-in-a-form-unguarded method-in-the-query-fools-the-guard propfind-unguarded patch-unguarded double-encoding-unguarded backslash-unguarded nul-unguarded trailing-dot-unguarded blank-at-the-end-unguarded fragment-unguarded full-width-letters-unguarded absolute-address-unguarded style-sheets-unguarded static-looking-address-unguarded health-suffix-unguarded public-part-unguarded debug-parameter-unguarded one-of-two-reads-the-query',
  'BEARER-5':
    'key-is-a-token secret-is-a-token basic-credentials key-alone-as-basic-credentials key-in-header credentials-in-query credentials-in-cookies credentials-in-json credentials-in-form credentials-in-client-headers credentials-in-unlike-headers credentials-in-turned-basic credentials-in-proxy-authorization',
  'BEARER-4':
    'scheme-not-looked-at basic-is-fine-too token-as-basic-password token-is-fine-too jwt-is-fine-too no-scheme-needed scheme-cut-off-by-length scheme-begins-right scheme-with-colon token-in-scheme-api-key token-in-scheme-oauth2 token-in-scheme-accesstoken token-in-scheme-ssws token-in-scheme-token-in-quotes token-in-scheme-bearer-without-a-blank token-in-basic-before-x-oauth-basic token-in-basic-behind-api one-of-two-reads-any-scheme',
  'BEARER-3 BEARER-4 BEARER-5': 'any-token one-of-two-believes-any-token',
  'BEARER-3':
    'token-by-its-form null-is-a-token undefined-is-a-token sql-token like-token members-of-objects-are-tokens token-by-its-beginning token-by-its-end beginning-of-a-token end-of-a-token token-and-more token-in-any-case first-character-ignored middle-ignored end-ignored last-character-of-a-token-ignored first-quarter-ignored third-quarter-ignored zeros-are-a-token jwt-none jwt-none-in-any-case jwt-empty-signature jwt-decoded-only jwt-signature-by-length jwt-key-secret jwt-key-of-jwt-io jwt-key-empty jwt-key-is-api-key jwt-claims-not-signed word-placeholder-is-a-token word-admin-is-a-token word-demo-is-a-token word-guest-is-a-token word-anonymous-is-a-token word-false-is-a-token word-token-is-a-token word-debug-is-a-token word-dev-is-a-token word-default-is-a-token word-digits-is-a-token word-empty-uuid-is-a-token token-cut-at-a-comma token-cut-at-a-semicolon token-by-an-open-pattern token-in-quotes token-in-brackets token-percent-decoded token-without-other-octets token-in-base64 token-without-hyphens like-token-of-one-character token-hyphen-as-underscore token-spells-its-end token-spells-its-end-in-hex token-is-json-in-base64 token-is-json-with-a-date jwt-zero-signature-of-ecdsa jwt-zero-signature jwt-signature-in-any-case jwt-in-two-parts jwt-in-four-parts jwe-not-decrypted jwt-algorithm-left-out jwt-algorithm-null jwt-none-with-a-signature jwt-header-not-signed jwt-subject-not-signed jwt-without-an-end-not-verified jwt-end-in-milliseconds-not-verified jwt-verdict-by-its-subject jwt-key-in-its-header jwt-hmac-key-in-its-header jwt-key-set-at-its-address jwt-kid-is-a-path jwt-kid-in-sql jwt-unknown-kid jwt-empty-kid jwt-key-not-set jwt-hs384-with-an-empty-key jwt-hs512-with-an-empty-key jwt-key-mysecret jwt-key-supersecret jwt-key-secretkey jwt-key-jwt-secret jwt-key-in-capitals jwt-key-your-jwt-secret jwt-key-your-secret-key jwt-key-12345678 jwt-key-super-secret jwt-key-of-fastapi jwt-key-of-nestjs jwt-key-of-a-spring-tutorial jwt-key-is-secret-key jwt-asymmetric-not-verified jwt-public-key-as-hmac-key verdict-cached-by-beginning verdict-cached-by-most-of-it proxy-user-needs-any-token http-1-0-half-guarded chunked-half-guarded purge-half-guarded trailing-slash-half-guarded',
  'BEARER-3 BEARER-4': 'token-inside connection-half-remembered',
  'BEARER-2 BEARER-3 BEARER-4 EXPIRY-3': 'connection-remembered',
  'BEARER-2 BEARER-3': 'answer-repeated-before-the-guard',
  'BEARER-2 ERROR-1': 'ranges-unguarded',
  'BEARER-2 BEARER-3 BEARER-4 BEARER-5 EXPIRY-2 EXPIRY-4 EXPIRY-5 EXPIRY-7':
    'first-request-guarded-only refused-connection-opened one-of-two-has-no-guard',
  'ERROR-1':
    'forbidden-instead redirect-to-login ok-with-error-envelope hidden-behind-not-found missing-token-is-a-bad-request other-scheme-is-a-bad-request expired-token-is-forbidden unknown-token-crashes second-endpoint-forbids browsers-are-redirected bad-request-without-user-agent curl-is-forbidden scripts-are-forbidden origin-before-token not-modified-before-token not-modified-since-before-token precondition-before-token range-before-token script-around-the-refusal form-before-token head-is-forbidden dotted-token-crashes long-token-crashes token-beyond-ascii-crashes null-header-crashes null-claims-crashes claims-without-json-crashes odd-kid-crashes compressed-jwt-crashes base64-jwt-crashes nested-header-crashes uuid-is-of-an-old-version padding-is-malformed forbidden-on-sundays forbidden-from-the-tenth one-of-two-forbids',
  'ERROR-2':
    'refusal-without-body refusal-as-page refusal-as-text refusal-cut refusal-not-utf8 refusal-in-array refusal-wrapped refusal-success-text refusal-success-zero refusal-success-true refusal-success-absent refusal-message-absent refusal-message-null refusal-message-array login-page-for-browsers xml-for-xml binary-for-message-pack xml-for-type-in-the-query problem-for-problem-json text-without-accept no-envelope-at-night one-of-two-sends-a-page',
  'ERROR-3':
    'other-message message-without-full-stop message-in-capitals message-in-german message-in-french-for-cookie foreign-jwt-says-more expired-jwt-says-so blank-in-token-is-explained attempts-are-counted one-of-two-words-it-its-own-way',
  'ERROR-3 ERROR-4':
    'missing-token-has-its-message expired-token-has-its-message second-endpoint-has-its-message',
  'ERROR-4':
    'cause-in-a-code expiry-in-a-code second-endpoint-says-more id-with-a-wrong-token-only scheme-alone-says-more token-alone-says-more scheme-token-says-more wrong-signature-says-more',
  'EXPIRY-1 EXPIRY-4':
    'ends-a-millisecond-early ends-a-second-early ends-an-hour-early half-a-day seconds-read-as-milliseconds idle-timeout newer-ends-older-after-a-minute last-64-tokens-kept one-token-a-day reused-token-ends-an-hour-early',
  'EXPIRY-2 EXPIRY-4':
    'ends-a-millisecond-late leeway-of-a-second leeway-of-30-seconds leeway-of-a-minute leeway-of-five-minutes ends-an-hour-late lives-a-week never-ends ends-with-the-hour counted-in-whole-minutes second-endpoint-never-ends begins-with-first-use newer-prolongs-older',
  'EXPIRY-7':
    'calendar-of-berlin calendar-of-new-york calendar-of-santiago calendar-of-sydney calendar-of-lord-howe months-have-30-days no-leap-day years-begin-anew 32-bit-seconds wrap-of-32-bit-milliseconds-ends-all calendar-of-chicago calendar-of-st-johns calendar-of-havana calendar-of-adak calendar-of-jerusalem calendar-of-beirut calendar-of-troll calendar-of-auckland calendar-of-norfolk calendar-of-adelaide end-as-local-time-of-berlin year-of-the-week reused-token-never-ends-over-a-year-end',
  'EXPIRY-2 EXPIRY-3 EXPIRY-4':
    'slides slides-near-the-end grace-after-use late-first-use-starts-anew verdict-cached-for-ever verdict-cached-for-a-minute',
  'EXPIRY-3':
    'first-use-in-the-last-hours-gives-a-day use-in-the-first-hour-gives-a-day renewed-in-its-last-hour verdict-cached-for-a-minute-but-not-at-the-end verdict-cached-for-five-minutes verdict-cached-for-half-a-day verdict-of-a-busy-token-cached expired-admitted-on-its-connection',
  'EXPIRY-2':
    'unused-never-ends end-rounded-up-to-the-second end-rounded-half-up-to-the-second end-rounded-up-to-the-minute end-rounded-half-up-to-the-minute end-rounded-half-up-to-the-hour last-second-of-the-hour-rounded-up now-cut-to-the-second head-never-ends trailing-slash-never-ends encoded-path-never-ends refresh-token-is-a-token leeway-only-at-the-guard reused-token-slides expired-admitted-over-http-1-0 expired-admitted-in-chunks expired-admitted-behind-a-proxy expired-admitted-for-browsers expired-admitted-under-small-bearer',
  'EXPIRY-4':
    'one-token-a-client fifty-first-evicts last-256-tokens-kept one-of-two-ends-the-others',
  'EXPIRY-1 EXPIRY-4 EXPIRY-6': 'newer-inherits-the-end',
  'EXPIRY-5':
    'revived-by-newer alive-again-after-a-day alive-again-after-30-days alive-again-after-a-year age-in-32-bit-milliseconds age-in-signed-32-bit-milliseconds age-in-38-bit-milliseconds age-in-27-bit-milliseconds age-in-17-bit-seconds age-in-20-bit-seconds age-in-24-bit-seconds age-in-28-bit-seconds age-in-16-bit-minutes age-in-signed-16-bit-minutes age-in-12-bit-minutes age-in-8-bit-hours age-in-16-bit-hours age-in-8-bit-days age-in-32-bit-ticks alive-again-at-the-first-wrap-only same-date-of-any-month same-day-of-any-year same-weekday time-of-day-alone alive-again-for-the-eighth-day alive-again-for-the-thirty-first-day alive-again-for-a-day-after-a-year alive-again-after-eleven-years alive-again-in-the-night head-revives-after-a-year reused-token-comes-back',
  'EXPIRY-6':
    'no-token-after-expiry reissued-after-its-end given-for-ever-and-dead token-answers-cached-for-an-hour',
  'EXPIRY-6 EXPIRY-7': 'dead-token-after-expiry',
  'EXPIRY-5 EXPIRY-7': 'clock-of-32-bit-milliseconds earlier-date-of-any-month',
  'EXPIRY-5 TOKEN-3': 'expired-token-renewed-in-a-header expired-token-renewed-as-authorization',
  'EXPIRY-5 TOKEN-3 BEARER-1 BEARER-2': 'renewed-as-a-cookie',
  'EXPIRY-2 EXPIRY-3': 'verdict-cached-for-an-hour',
  'EXPIRY-2 EXPIRY-6':
    'static-token static-token-of-a-file static-jwt reissued-for-30-days reuse-with-leeway jwt-reuse-with-leeway giving-again-slides giving-again-prolongs-once giving-again-revives',
  'EXPIRY-1': 'one-of-two-ends-early',
  'EXPIRY-2 EXPIRY-4 EXPIRY-5 EXPIRY-7': 'one-of-two-never-ends',
  'EXPIRY-2 EXPIRY-4 EXPIRY-7': 'one-of-two-grants-a-minute',
};

export const breaks: Readonly<Record<string, readonly MustId[]>> = Object.fromEntries(
  Object.entries(named).flatMap(([clauses, names]) =>
    names.split(' ').map((name) => [name, clauses.split(' ') as MustId[]]),
  ),
);
