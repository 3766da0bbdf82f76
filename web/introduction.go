package web

// introduction is the description in the OpenAPI document and the head of /llms.txt.
const introduction = `GP Atlas is a JSON API over US investment advisers that manage private funds. The data come from the regulator's bulk filings.

**Conventions.** Amounts are US dollars: whole dollars in the data, with decimals in prices and charges. Timestamps are ISO 8601 in UTC. Dates are YYYY-MM-DD. CRD numbers are strings.

**Authentication.** Send ` + "`Authorization: Bearer`" + ` with an API key (` + "`gpa_live_…`, `gpa_test_…`" + `) or with the access token of a session. Public operations need no credential, unless this service is configured to require one. An invalid credential returns 401; the request is never treated as anonymous. A valid credential without permission returns 403. Send keys in this header only: a key in a query parameter is rejected, and so is one in ` + "`X-API-Key`, `Api-Key`, `apikey` or `X-Auth-Token`" + ` without an ` + "`Authorization`" + ` header. Other values of these headers are ignored.

**Rate limits.** Requests are limited per 5 seconds, per minute and per day (UTC). API keys are limited per key, sessions per account, and anonymous callers per IP address. Pages, documents and operations that are always open, such as sign-in, are counted apart and have no limit per day. Every response except those of ` + "`/`, `/health` and `/status`" + ` shows the rest of the day's limit in ` + "`X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`" + ` (Unix seconds), and the rest of each window in ` + "`RateLimit-Policy` and `RateLimit`" + `. A request over a limit returns 429 with ` + "`Retry-After`" + `. An unchanged response (304) does not count toward the day. The usage operations work even after the daily limit is reached.

**Strict parameters.** An unknown, repeated, empty, malformed or out-of-range query parameter returns 400. So does an unknown field of a JSON body. The response lists every fault. For an unknown name it suggests the nearest known one.

**Request bodies** are JSON. Send them plain or in one content coding, ` + "`gzip` or `deflate`" + `. Any other coding returns 415. A body that is too large, as sent or after decoding, returns 413. An operation without a body ignores one that is not too large. A body returns 400 if it is not valid UTF-8, contains half of a surrogate pair, the character U+0000, the same field twice in one object or a number beyond 64-bit floating point, or is nested more than 64 levels deep.

**URL and headers.** A request whose URL and headers together exceed 16 KiB returns 431. Any operation can return it.

**Errors** have one shape: ` + "`{\"detail\": \"…\", \"errors\": [{\"field\": \"…\", \"message\": \"…\"}]}`" + `. ` + "`errors`" + ` is present only if fields are at fault. A field of a body is named by its path in the body (` + "`name`, `filters.state`, `tags[2]`" + `). The body as a whole is ` + "`body`" + `. Parameters and headers have their own names. A 402 has a ` + "`code`: `spending_cap`, `free_calls`, `confirmation_required`, `unbacked_limit` or `max_charge`" + `; and, if there is an amount in question, ` + "`amount`" + ` in dollars.

**Pagination.** Lists accept ` + "`limit` and `offset`" + `, or ` + "`page` and `per_page`" + `. If limit or offset is sent, page and per_page are ignored. Lists carry RFC 8288 ` + "`Link`" + ` headers: first, prev, next, last.

**Caching.** Data responses carry a strong ` + "`ETag`" + `. Send it back in ` + "`If-None-Match`" + `: if the data are unchanged, the response is 304. A 304 is never charged. Every GET operation also accepts HEAD, which is never charged. Responses are compressed with br or gzip according to ` + "`Accept-Encoding`" + `.

**Charges.** The description of an operation shows its price, if it has one (` + "`x-charge-usd`, `x-charge-per`" + `). Each successful response of such an operation shows its cost in dollars in ` + "`X-Charge`" + `: ` + "`0.25`" + `. Errors, empty results, unchanged results (304), requests with test keys and data bought before are not charged. Where a service has no payment processor, anonymous callers are not charged either.

**Prices in advance.** Every operation with a price accepts two parameters. ` + "`max_charge`" + ` is the most that the response may cost, in dollars: a response that costs more is 402, and nothing is charged. ` + "`quote=true`" + ` returns the price in place of the data: the price of the list, how many persons the response has, how many of them you have bought before, and what you would be charged now. Errors are the same as without it. A quote is free. It is never stored, ignores ` + "`Idempotency-Key` and `If-None-Match`" + `, and is not refused for what you can spend. It counts as a request in the rate limits, and does not use up a free call. HEAD returns the amount in ` + "`X-Charge-Estimate`" + `.

**Repeating requests.** Operations that create something or have a price accept ` + "`Idempotency-Key`" + `: a name for the request, 1 to 255 visible ASCII characters, such as a UUID. If you do not get the response, send the same request with the same key. Within 24 hours it is not executed or charged again: you get the first response, with ` + "`Idempotent-Replayed: true`" + `. The key with another request returns 422. While the first request is still running, the response is 409 with ` + "`Retry-After`" + `. Responses with 401, 402, 403, 429 or 5xx are not kept, so the request can be tried again with the same key. A request refused with 400 does not use up the key. Keys belong to the account; test keys have their own. Without a credential the header is ignored.

**Request IDs.** Every response has ` + "`X-Request-ID`" + `. It repeats the ID that you sent, if that has 1 to 64 characters from letters, digits, _ . -, and is a new one otherwise.`
