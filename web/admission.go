package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/clock"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/ratelimit"
)

// admission determines, before anything else is done with a request, who the caller is and whether the caller is over the
// limit. The operation decides whether the caller may call it.
type admission struct {
	keys     auth.KeyVerifier     // nil: no key is valid
	sessions auth.SessionVerifier // nil: no access token is valid
	limiter  ratelimit.Limiter    // nil: no limits
	clock    clock.Clock
	docURL   string
	except   map[string]exception // by path

	exceptBelow []below // of paths with a parameter

	// administrator finds the administrator of a browser's session: see Host.Administrator. nil: there is none.
	administrator func(c *fiber.Ctx, address netip.Addr) (*auth.Principal, error)
}

// exception is what admission does not check at some paths.
type exception uint8

const (
	_ exception = iota // nothing: the zero value
	// exceptDocument: the limits of data are not checked, those of pages are. This applies to everything outside the API's
	// prefix: browsers request icons that no page names.
	exceptDocument
	// exceptToken: the same, and an access token that is not valid is ignored. These are the operations that are always open.
	exceptToken
	// exceptCredentials: credentials are not checked either. These are the documentation pages, which a browser with an expired
	// credential must still be able to read.
	exceptCredentials
	// exceptDay: a used-up day is not checked. These are the operations that show callers their usage.
	exceptDay
	// exceptAll: neither credentials nor limits are checked (health, and the internal pages with their own guard).
	exceptAll
	// exceptUnlimited: the same, but the response shows that there are no limits. These are operations of the API without
	// access control, those whose body is signed (their one sender sends more than an anonymous IP address may, and must not be
	// refused), and pages, whose own guard comes later.
	exceptUnlimited
)

func newAdmission(o Options) *admission {
	return &admission{
		keys: o.Keys, sessions: o.Sessions, limiter: o.Limiter, clock: o.Clock,
		docURL: strings.TrimSuffix(o.Config.PublicURL, "/") + "/docs", except: map[string]exception{},
	}
}

// learn collects the exceptions: operations that are declared so, and pages that are no operations. The routes in skip are
// middleware.
func (a *admission) learn(app *fiber.App, api *httpapi.API, skip map[*fiber.Route]bool) {
	declared := map[string]bool{}
	for _, r := range api.Routes() {
		declared[httpapi.FiberPath(r.Operation.Path)] = true
		switch {
		case r.Access == httpapi.Signature, r.Unguarded && strings.HasPrefix(r.Operation.Path, dataPrefix):
			a.add(r.Operation.Path, exceptUnlimited)
		case r.Unguarded:
			a.add(r.Operation.Path, exceptAll)
		case r.BeyondDay:
			a.add(r.Operation.Path, exceptDay)
		case r.AlwaysOpen:
			a.add(r.Operation.Path, exceptToken)
		}
	}
	for _, stack := range app.Stack() {
		for _, route := range stack {
			if !skip[route] && !declared[route.Path] && !internal(route.Path) {
				a.except[route.Path] = exceptCredentials
			}
		}
	}
}

// add makes an operation's path an exception.
func (a *admission) add(path string, e exception) {
	open, end := strings.IndexByte(path, '{'), strings.LastIndexByte(path, '}')
	if open < 0 {
		a.except[path] = e
		return
	}
	a.exceptBelow = append(a.exceptBelow, below{path[:open], path[end+1:], e})
}

// below are the paths of an operation with one parameter: the text between the two is one segment, or a part of it.
type below struct {
	prefix, suffix string
	exception      exception
}

func (b below) has(path string) bool {
	rest, ok := strings.CutPrefix(path, b.prefix)
	if !ok {
		return false
	}
	value, ok := strings.CutSuffix(rest, b.suffix)
	return ok && value != "" && strings.IndexByte(value, '/') < 0
}

func internal(path string) bool {
	rest, ok := strings.CutPrefix(path, internalPrefix)
	return ok && (rest == "" || rest[0] == '/')
}

func (a *admission) exceptionFor(path string) exception {
	switch {
	case internal(path): // it has a guard of its own
		return exceptAll
	case belowAdmin(path): // like an unknown path
		return exceptDocument
	}
	for _, b := range a.exceptBelow {
		if b.has(path) {
			return b.exception
		}
	}
	if e, known := a.except[path]; known || strings.HasPrefix(path, dataPrefix) {
		return e
	}
	return exceptDocument
}

// identify puts the caller into the context. An error means that the credential is invalid, or cannot be verified now: such a
// request is never treated as anonymous, though the limits count it as one.
//
// Spec: not shown; an expired access token is ignored if the operation is always open, because clients add their token to every
// request, also to the one for a new token. A wrong API key is refused there too, because it never expires.
func (a *admission) identify(ctx context.Context, c *fiber.Ctx, address netip.Addr) (context.Context, error) {
	if a.administrator != nil && belowAdmin(c.Path()) {
		if known, err := a.administrator(c, address); known != nil || err != nil {
			return operator(ctx, known, address), err
		}
	}
	e := a.exceptionFor(c.Path())
	if e != exceptCredentials && e != exceptAll && e != exceptUnlimited {
		sent := c.Request().Header.PeekAll(fiber.HeaderAuthorization)
		if err := misplaced(c.Request(), len(sent) > 0); err != nil {
			return auth.With(ctx, &auth.Principal{Address: address}), err
		}
		if len(sent) > 0 {
			known, err := a.verify(ctx, sent)
			if err == nil {
				caller := *known // the verifier may share it with concurrent requests
				caller.Address = address
				return auth.With(ctx, &caller), nil
			}
			if e == exceptToken && isInvalidToken(sent, err) {
				err = nil
			}
			return auth.With(ctx, &auth.Principal{Address: address}), err
		}
	}
	return auth.With(ctx, &auth.Principal{Address: address}), nil
}

// isInvalidToken reports whether an access token was sent correctly and is invalid.
func isInvalidToken(sent [][]byte, err error) bool {
	token, ok := bearer(sent[0])
	return ok && len(sent) == 1 && !strings.HasPrefix(token, keyPrefix) && apperr.From(err).Kind == apperr.KindUnauthenticated
}

// otherHeaders are where other APIs take keys.
var otherHeaders = []string{"X-Api-Key", "Api-Key", "Apikey", "X-Auth-Token"}

// otherParameters are where other APIs take keys in the URL. No operation has a parameter of such a name.
var otherParameters = []string{"api_key", "apikey", "api-key", "x-api-key"}

// misplaced refuses a request with one of our keys in another header or in its URL: otherwise its caller, who pays for the
// limits of a key, would silently get those of anonymous callers.
//
// Spec: not shown; other values of these headers are ignored, because proxies put keys of their own there, and so are all of
// them beside an Authorization header (authorized). Parameters come from callers only: one with the name of a key is refused
// with any value, also beside a valid credential.
func misplaced(request *fasthttp.Request, authorized bool) error {
	if query := request.URI().QueryString(); bytes.Contains(query, keyBytes) || bytes.Contains(bytes.ToLower(query), []byte("key=")) {
		for name, value := range request.URI().QueryArgs().All() {
			if bytes.HasPrefix(value, keyBytes) || slices.Contains(otherParameters, strings.ToLower(string(name))) {
				return errKeyInURL
			}
		}
	}
	for _, name := range otherHeaders {
		if !authorized && bytes.HasPrefix(request.Header.Peek(name), keyBytes) {
			return apperr.New(apperr.KindUnauthenticated, "Could not validate credentials: there is an API key in the header %s; send it as Authorization: Bearer <key>", name)
		}
	}
	return nil
}

var errKeyInURL = apperr.New(apperr.KindUnauthenticated,
	"Could not validate credentials: there is an API key in the URL, and URLs are logged on their way; send it in the header, as Authorization: Bearer <key>")

// refusedChallenge goes to a caller whose credential was refused (RFC 6750).
const refusedChallenge = `Bearer error="invalid_token"`

// enter passes a request to its operation, or answers it; the caller answers failures. The decision is the limiter's.
func (a *admission) enter(ctx context.Context, c *fiber.Ctx, failed error) (d ratelimit.Decision, entered bool, err error) {
	d, refused := a.refuse(ctx, c, failed)
	switch {
	case refused:
		return d, false, nil
	case failed != nil:
		if apperr.From(failed).Kind == apperr.KindUnauthenticated {
			c.Set(fiber.HeaderWWWAuthenticate, refusedChallenge)
		}
		return d, false, failed
	}
	return d, true, nil
}

// leave updates the limits after the response. An unchanged response (304) delivers nothing and does not count in the day, nor
// does one of an operation that is beyond the day; they count in the shorter windows, because they are work. A refusal by the operation's own limit shows a number of remaining
// requests, also to callers without a daily limit.
func (a *admission) leave(ctx context.Context, c *fiber.Ctx, d *ratelimit.Decision) {
	status := c.Response().StatusCode()
	switch {
	case d.Counted && d.Limited && (status == http.StatusNotModified || status < http.StatusBadRequest && a.exceptionFor(c.Path()) == exceptDay):
		a.limiter.GiveBack(ctx, auth.From(ctx), d)
		a.show(c, d)
	case status == http.StatusTooManyRequests:
		if !d.Allowed && d.Weight > 0 {
			a.write(ctx, c, d)
		} else if (d.Allowed || d.None) && !d.Limited { // the header is "unlimited"
			c.Response().Header.SetCanonical(headerRemaining, none)
		}
	}
}

// The contract's messages for refused credentials.
var (
	errNoBearer = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials: send one Authorization: Bearer header with an API key or an access token")
	errNoKey    = apperr.New(apperr.KindUnauthenticated, "Invalid or revoked API key")
	errNoToken  = apperr.New(apperr.KindUnauthenticated, "Could not validate credentials")
)

// dataPrefix begins the paths of all operations but the service's own.
const dataPrefix = "/v1/"

// keyPrefix begins every API key, and no access token.
const keyPrefix = "gpa_"

var keyBytes = []byte(keyPrefix)

func (a *admission) verify(ctx context.Context, sent [][]byte) (*auth.Principal, error) {
	token, ok := bearer(sent[0])
	if !ok || len(sent) > 1 {
		return nil, errNoBearer
	}
	if strings.HasPrefix(token, keyPrefix) {
		if a.keys == nil {
			return nil, errNoKey
		}
		known, err := a.keys.VerifyKey(ctx, token)
		return verified(known, err, auth.Key)
	}
	if a.sessions == nil {
		return nil, errNoToken
	}
	known, err := a.sessions.VerifySession(ctx, token)
	return verified(known, err, auth.Session)
}

var errVerifier = errors.New("web: a verifier let a credential through without saying whose it is")

// verified checks that a verifier keeps its promise.
func verified(known *auth.Principal, err error, kind auth.Kind) (*auth.Principal, error) {
	if err != nil {
		return nil, fmt.Errorf("verify the credential: %w", err)
	}
	if known == nil || known.Kind != kind {
		return nil, apperr.Internal(errVerifier)
	}
	return known, nil
}

// bearer returns the credential of an Authorization header: the scheme in any case, spaces, and the token with nothing after
// it. Text that cannot be a token is not passed to a verifier.
func bearer(header []byte) (string, bool) {
	const scheme = "bearer "
	if len(header) <= len(scheme) || !strings.EqualFold(string(header[:len(scheme)]), scheme) {
		return "", false
	}
	token := strings.Trim(string(header[len(scheme):]), " ")
	for i := range len(token) {
		if token[i] <= ' ' || token[i] >= 0x7f || token[i] == ',' {
			return "", false
		}
	}
	return token, token != ""
}
