package web

// introduction is the description in the OpenAPI document and the head of /llms.txt.
const introduction = `GP Atlas is a JSON API over US investment advisers that manage private funds, from the regulator's bulk filings.

**Conventions.** Amounts are whole US dollars. Timestamps are ISO 8601 in UTC, dates YYYY-MM-DD. CRD numbers are strings.

**Who calls.** Send ` + "`Authorization: Bearer`" + ` with an API key (` + "`gpa_live_…`, `gpa_test_…`" + `) or the access token of a session. Public operations answer without one too, unless this service is set up to ask for one. What is not a valid credential is 401, never anonymous; a valid one that may not do this is 403. Keys belong in that header: a query parameter is refused.

**Limits.** There are limits for 5 seconds, a minute and a day (UTC), by key, by account for its sessions, and by address for callers without a credential. Every answer but those of ` + "`/`, `/health` and `/status`" + ` says how much of the day is left in ` + "`X-RateLimit-Limit`, `X-RateLimit-Remaining` and `X-RateLimit-Reset`" + ` (Unix seconds), and of each window in ` + "`RateLimit-Policy` and `RateLimit`" + `. Beyond a limit the answer is 429 with ` + "`Retry-After`" + `. An unchanged answer (304) takes nothing from the day. The operations on usage answer also when the day is used up.

**Parameters are strict.** An unknown, repeated, empty, malformed or out-of-range query parameter is refused with 400, and so is an unknown field of a JSON body; every fault is listed, and an unknown name comes with the nearest known one.

**Bodies** are JSON. They may be sent plain or in one content coding, ` + "`gzip` or `deflate`" + `; any other coding is 415, and a body that is too large after decoding is 413. A body that is not valid UTF-8, contains half of a surrogate pair, the character U+0000, one field twice in an object, a number beyond 64-bit floating point, or is nested more than 64 levels deep, is 400.

**Errors** have one shape: ` + "`{\"detail\": \"…\", \"errors\": [{\"field\": \"…\", \"message\": \"…\"}]}`" + `; ` + "`errors`" + ` only where fields are at fault. A field of a body is named by its path in the body (` + "`name`, `filters.state`, `tags[2]`" + `), the body as a whole is ` + "`body`" + `, and parameters and headers have their own names.

**Paging.** Lists take ` + "`limit` and `offset`" + `, or ` + "`page` and `per_page`" + `; if limit or offset is sent, they rule and the others are ignored. Lists carry RFC 8288 ` + "`Link`" + ` headers: first, prev, next, last.

**Caching.** Data answers carry a strong ` + "`ETag`" + `; send it back in ` + "`If-None-Match`" + ` and an unchanged answer is 304, never charged. Every GET answers HEAD too, which is never charged either. Answers are compressed with br or gzip by ` + "`Accept-Encoding`" + `.

**Charges.** The description of an operation gives its price, if it has one (` + "`x-charge-usd`, `x-charge-per`" + `). Each good answer of such an operation says in ` + "`X-Charge`" + ` what it has cost, in dollars: ` + "`0.25`" + `. Nothing is charged for an error, an empty answer, an unchanged one (304), or what was bought before. Where billing is not set up everything is ` + "`0.00`" + `.

**Request ids.** Every answer has ` + "`X-Request-ID`" + `: yours, if it is 1 to 64 of letters, digits, _ . -, else a new one.`
