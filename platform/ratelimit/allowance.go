package ratelimit

import (
	"context"

	"gpatlas/platform/auth"
)

// Allowance is the number of free calls of some accounts. The host asks it after the Limiter has let a request pass and before
// the operation runs.
type Allowance interface {
	// Counts reports whether calls of a path, or of the paths of a template such as /v1/gps/{crd}, use up an allowance.
	Counts(path string) bool
	// Take uses up one of the caller's calls and reports whether it has: callers and paths without an allowance use none. Its
	// error, of kind payment required, means that none are left; it is the response to the request.
	Take(ctx context.Context, caller *auth.Principal, path string) (taken bool, err error)
	// GiveBack returns a call whose response was not 2xx.
	GiveBack(ctx context.Context, caller *auth.Principal)
}
