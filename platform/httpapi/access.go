package httpapi

import (
	"fmt"
	"slices"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

// Access is who may call an operation; the words are those of endpoints.tsv.
type Access string

// The access classes of the contract.
const (
	Public    Access = "public"    // all callers; if Config.Keyed is set, only API keys and sessions
	Key       Access = "key"       // API keys and sessions
	Login     Access = "login"     // sessions; with KeyToo also API keys
	Admin     Access = "admin"     // sessions of administrators; with AdminKeyToo also their API keys
	Signature Access = "signature" // all callers: the handler verifies the signature of the body; credentials and limits are not checked
)

// Grant sets who may call the operation; the default is Public.
func Grant(a Access) Option { return func(r *Route) { r.Access = a } }

// AlwaysOpen keeps a public operation open to anonymous callers when others need a credential: signing in, reading the terms
// and unsubscribing must work without one.
func AlwaysOpen() Option { return func(r *Route) { r.AlwaysOpen = true } }

// Unguarded marks operations that check neither credentials nor limits (health).
func Unguarded() Option { return func(r *Route) { r.AlwaysOpen, r.Unguarded = true, true } }

// Discreet marks an operation that people reach from an email: the access log leaves out what identifies the mail (the path
// after its fixed beginning, the query) and the caller's IP address and user agent.
func Discreet() Option { return func(r *Route) { r.Discreet = true } }

// KeyToo lets API keys call an operation of class Login, so that one credential is enough to use the data product.
func KeyToo() Option { return func(r *Route) { r.KeyToo = true } }

// Confirmed refuses accounts that have not confirmed their email address at a free operation that costs the operator something.
func Confirmed() Option { return func(r *Route) { r.Confirmed = true } }

// AdminKeyToo lets live API keys of administrators call an operation of class Admin (jobs, for external schedulers).
//
// Spec: not shown; test keys are for trying things out, and such an operation has real effects.
func AdminKeyToo() Option { return func(r *Route) { r.AdminKeyToo = true } }

// The refusals of callers. They state what is required, and nothing about the operation's data.
var (
	errNeedsCredential = apperr.New(apperr.KindUnauthenticated, "Not authenticated; send Authorization: Bearer with an API key or an access token")
	errNeedsSession    = apperr.New(apperr.KindUnauthenticated, "Not authenticated; send Authorization: Bearer with the access token of a session")
	errNoKeys          = apperr.New(apperr.KindForbidden, "API keys cannot do this; send the access token of a session")
	errAdminsOnly      = apperr.New(apperr.KindForbidden, "Only administrators can do this")
	errUnverified      = apperr.New(apperr.KindForbidden, "Verify your email address first: requests that can cost something need a verified email address")
	errNoTestKeys      = apperr.New(apperr.KindForbidden, "Test keys cannot do this: it changes real data; send a live key or the access token of an administrator's session")
	errAdminSession    = apperr.New(apperr.KindForbidden, "API keys cannot do this; send the access token of an administrator's session")
)

// admits returns why the caller may not call the operation, or nil. Config.Keyed is keyed.
//
// Spec: not shown; an account that has not confirmed its email address can buy nothing, and its live keys do not exist. Its test keys
// are refused too, because they read the real data of operations with a flat fee. So are quotes: it has no use for a price.
func (r *Route) admits(caller *auth.Principal, keyed bool) error {
	if err := r.admitsKind(caller, keyed); err != nil {
		return err
	}
	if r.needsConfirmed() && caller.Unverified {
		return errUnverified
	}
	return nil
}

// needsConfirmed reports whether only accounts with a confirmed email address may call the operation.
func (r *Route) needsConfirmed() bool { return r.ChargeMicros != 0 || r.Confirmed }

// admitsKind is what admits decides by the access class.
func (r *Route) admitsKind(caller *auth.Principal, keyed bool) error {
	anonymous, key := caller.Kind == auth.Anonymous, caller.Kind == auth.Key
	switch r.Access {
	case Signature:
		return nil
	case Public:
		if anonymous && keyed && !r.AlwaysOpen {
			return errNeedsCredential
		}
		return nil
	case Key:
		if anonymous {
			return errNeedsCredential
		}
		return nil
	case Login:
		switch {
		case anonymous && r.KeyToo:
			return errNeedsCredential
		case anonymous:
			return errNeedsSession
		case key && !r.KeyToo:
			return errNoKeys
		}
		return nil
	case Admin:
		switch {
		case anonymous:
			return errNeedsSession
		case !caller.Admin:
			return errAdminsOnly
		case key && !r.AdminKeyToo:
			return errAdminSession
		case key && caller.Mode == auth.ModeTest:
			return errNoTestKeys
		}
		return nil
	default: // cannot be registered
		return errAdminsOnly
	}
}

// checkAccess rejects unknown classes, and exceptions that do not belong to the operation's class.
func checkAccess(r *Route) error {
	address := r.Operation.Method + " " + r.Operation.Path
	if !slices.Contains([]Access{Public, Key, Login, Admin, Signature}, r.Access) {
		return fmt.Errorf("httpapi: %s is of access class %q, which does not exist", address, r.Access)
	}
	for _, exception := range []struct {
		set  bool
		name string
		of   Access
	}{
		{r.AlwaysOpen, "AlwaysOpen", Public},
		{r.KeyToo, "KeyToo", Login},
		{r.AdminKeyToo, "AdminKeyToo", Admin},
	} {
		if exception.set && r.Access != exception.of {
			return fmt.Errorf("httpapi: %s is declared %s, which is for class %s, not %s", address, exception.name, exception.of, r.Access)
		}
	}
	return nil
}

// unchecked reports whether neither credentials nor limits are checked before the operation.
func (r *Route) unchecked() bool { return r.Unguarded || r.Access == Signature }

// takesKeys reports whether API keys are checked and may call the operation.
func (r *Route) takesKeys() bool {
	return !r.Unguarded && (r.Access == Public || r.Access == Key || r.Access == Login && r.KeyToo || r.Access == Admin && r.AdminKeyToo)
}

// mayRefuse returns the statuses with which an operation may refuse its caller, whatever the request.
func (r *Route) mayRefuse() (unauthenticated, forbidden bool) {
	return !r.unchecked(), r.Access == Admin || r.Access == Login && !r.KeyToo
}
