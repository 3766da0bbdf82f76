package web

import (
	"cmp"
	"strings"
)

// introduction is the description in the OpenAPI document and the beginning of /llms.txt: what a newcomer needs before the
// first request. The rules of all operations are a separate page (docs/conventions.md), served at conventionsPath.
func introduction(c Config) string {
	base := cmp.Or(c.PublicURL, c.AppURL, "http://127.0.0.1:8080")
	return strings.ReplaceAll(introductionText, "BASE", strings.TrimSuffix(base, "/"))
}

const introductionText = `GP Atlas is a JSON API over US investment advisers that manage private funds: the managers, their funds and people, what they filed when, and what LPs have committed to them. The data come from the regulator's bulk filings and from published lists.

**Get a key.** In a browser, [create an account](/register) and follow the link in the email. Without a browser: ` + "`POST /v1/auth/register`, `POST /v1/auth/verify-email`, `POST /v1/auth/login`, then `POST /v1/api-keys`" + ` with the access token. A key is shown once. A test key (` + "`gpa_test_…`" + `) is never charged. It returns the same data, but invented people.

**Send one request.** The largest manager by assets:

` + "```sh\ncurl -H 'Authorization: Bearer gpa_live_…' 'BASE/v1/gps?sort=aum&order=desc&limit=1'\n```" + `

**In short.**

- Amounts are US dollars. Dates are YYYY-MM-DD, timestamps are UTC. CRD numbers are strings. Null means that no source states the value.
- An unknown or malformed parameter returns 400. An error has ` + "`detail`" + `, and ` + "`errors`" + ` with each field at fault.
- The description of an operation shows its price, if it has one. ` + "`quote=true`" + ` returns the price of a request in place of the data, free. ` + "`X-Charge`" + ` shows what a response cost. Errors, empty results, and people and careers that you have bought before are free. A price per request is charged for each response.
- ` + "`X-RateLimit-Remaining`" + ` shows how many requests are left today. A request over a limit returns 429 with ` + "`Retry-After`" + `.
- Send ` + "`Idempotency-Key`" + ` with requests that cost something, so that you can repeat them.

[Conventions](` + conventionsPath + `) has all the rules: authentication, limits, bodies, errors, pages, caching, charges and repeated requests. [Plans and prices](/plans).`

// conventionsPath is the path of the rules of all operations.
const conventionsPath = referencePath + "/conventions"
