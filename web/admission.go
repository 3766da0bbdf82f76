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

// admission finds out, before anything else is done with a request, who the caller is and whether the caller is over the
// limit. Whether the caller may call the operation is decided there.
type admission struct {
	keys     auth.KeyVerifier     // nil: no key is valid
	sessions auth.SessionVerifier // nil: no access token is valid
	limiter  ratelimit.Limiter    // nil: no limits
	clock    clock.Clock
	docURL   string
	except   map[string]exception // by path

	exceptBelow []below // of paths with a parameter
}

// exception is what admission does not check at some paths.
type exception uint8

const (
	_ exception = iota // nothing: the zero value
	// exceptDocument: the limits of data are not checked, those of pages are. This is whatever is not below the API's prefix:
	// browsers ask for icons that no page names.
	exceptDocument
	// exceptToken: the same, and an access token that is not valid is ignored. These are the operations that are always open.
	exceptToken
	// exceptCredentials: nor are credentials. These are the documentation pages, which a browser with an expired credential
	// must still be able to read.
	exceptCredentials
	// exceptDay: a used-up day is not checked. These are the operations that tell callers what they have used.
	exceptDay
	// exceptAll: neither credentials nor limits are checked (health, and the internal pages with their own guard).
	exceptAll
	// exceptUnlimited: the same, but the answer says that there are no limits. These are operations of the API that answer
	// everybody, those whose body is signed (their one sender sends more than an anonymous address may, and must not be refused),
	// and pages, whose own guard comes later.
	exceptUnlimited
)

func newAdmission(o Options) *admission {
	return &admission{
		keys: o.Keys, sessions: o.Sessions, limiter: o.Limiter, clock: o.Clock,
		docURL: strings.TrimSuffix(o.Config.PublicURL, "/") + "/docs", except: map[string]exception{},
	}
}

// learn finds out which paths are exceptions: operations that are declared so, and pages that are no operations. The
// routes in skip are middleware.
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

// below are the paths of an operation with one parameter: what stands between the two is one segment, or a part of it.
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
	switch { // they have guards of their own
	case internal(path):
		return exceptAll
	case belowQueues(path):
		return exceptUnlimited
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

// identify puts the caller into the context. An error says that a credential was sent which is not valid, or cannot be
// verified now: such a request is never taken for an anonymous one, though it counts as one to the limits.
//
// Spec: not shown; an access token that has expired is ignored where the operation is always open: clients add their token to
// every request, also to the one that is to get them a new token. A wrong API key is refused there too, for it never expires.
func (a *admission) identify(ctx context.Context, c *fiber.Ctx, address netip.Addr) (context.Context, error) {
	e := a.exceptionFor(c.Path())
	if e != exceptCredentials && e != exceptAll && e != exceptUnlimited {
		sent := c.Request().Header.PeekAll(fiber.HeaderAuthorization)
		if err := misplaced(c.Request(), len(sent) > 0); err != nil {
			return auth.With(ctx, &auth.Principal{Address: address}), err
		}
		if len(sent) > 0 {
			known, err := a.verify(ctx, sent)
			if err == nil {
				caller := *known // the verifier may have others asking about the same
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

// isInvalidToken says that an access token was sent, as a token is to be sent, and is not valid.
func isInvalidToken(sent [][]byte, err error) bool {
	token, ok := bearer(sent[0])
	return ok && len(sent) == 1 && !strings.HasPrefix(token, keyPrefix) && apperr.From(err).Kind == apperr.KindUnauthenticated
}

// otherHeaders are where other APIs take keys.
var otherHeaders = []string{"X-Api-Key", "Api-Key", "Apikey", "X-Auth-Token"}

// otherParameters are where other APIs take keys in the URL. No operation has a parameter of such a name.
var otherParameters = []string{"api_key", "apikey", "api-key", "x-api-key"}

// misplaced refuses a request that has one of our keys in another header or in its URL: its caller pays for the limits of a key,
// and would silently get those of nobody.
//
// Spec: not shown; other values of these headers are ignored, for proxies put keys of their own there, and so are all of them
// beside an Authorization header (authorized). Parameters come from callers alone: one that is called after a key is refused
// with any value, and beside a valid credential too.
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

// enter lets a request through to its operation, or answers it; a failure is for the caller to answer. The decision is the
// limiter's.
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

// leave looks once more at the limits when the answer stands. An unchanged answer (304) delivers nothing and takes nothing
// from the day; it counts in the shorter windows, for it is work. A refusal by a limit of the operation's own says a number
// of what is left, also to callers whose day has no limit.
func (a *admission) leave(ctx context.Context, c *fiber.Ctx, d *ratelimit.Decision) {
	switch c.Response().StatusCode() {
	case http.StatusNotModified:
		if d.Counted && d.Limited {
			a.limiter.GiveBack(ctx, auth.From(ctx), d)
			a.show(c, d)
		}
	case http.StatusTooManyRequests:
		if (d.Allowed || d.None) && !d.Limited { // "unlimited" stands there
			c.Response().Header.SetCanonical(headerRemaining, none)
		}
	}
}

// The sentences of the contract for credentials that are refused.
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

// verified holds a verifier to its promise.
func verified(known *auth.Principal, err error, kind auth.Kind) (*auth.Principal, error) {
	if err != nil {
		return nil, fmt.Errorf("verify the credential: %w", err)
	}
	if known == nil || known.Kind != kind {
		return nil, apperr.Internal(errVerifier)
	}
	return known, nil
}

// bearer takes the credential out of an Authorization header: the scheme in letters of any case, spaces, and the token
// with nothing after it. What cannot be a token is no work for a verifier.
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
