// Package keys manages API keys: creating, naming and revoking them, recognizing them on every request, limits by tier, usage,
// and the calls of accounts with the free plan. Tables: schema keys. It may read accounts (the view accounts.pub_account).
package keys
