// Package keys knows API keys: making, naming and revoking them, recognising them on every request, limits by tier,
// usage, and the calls that accounts with the free plan have. Tables: schema keys. It may ask accounts (the view
// accounts.pub_account).
package keys
