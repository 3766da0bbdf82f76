package ratelimit

import (
	"context"

	"gpatlas/platform/auth"
)

// Allowance is the number of calls that some accounts have for nothing. The host asks it after the Limiter has let a
// request pass and before the operation is looked at.
type Allowance interface {
	// Counts reports whether calls of a path, or of the paths of a template such as /v1/gps/{crd}, use up an allowance.
	Counts(path string) bool
	// Take uses up one of the caller's calls and reports whether it has: callers and paths without an allowance take none. Its
	// error, of kind payment required, says that there are none left; the request is answered with it.
	Take(ctx context.Context, caller *auth.Principal, path string) (taken bool, err error)
	// GiveBack returns a call that was taken, where the answer was not one of 2xx.
	GiveBack(ctx context.Context, caller *auth.Principal)
}
