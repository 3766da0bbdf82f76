package httpapi

import (
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
)

// FiberConfig is the required configuration of a Fiber app that hosts an API: buffers are not reused while values outlive a
// request, /v1/gps and /v1/gps/ are different paths (the second is a detail request without its CRD), and failures outside of
// operations have the format of those inside.
func FiberConfig(logger *slog.Logger) fiber.Config {
	if logger == nil {
		logger = slog.Default()
	}
	return fiber.Config{
		Immutable:             true,
		StrictRouting:         true,
		CaseSensitive:         true,
		DisableStartupMessage: true,
		// A form of many parts would be parsed even if no operation needs one.
		DisablePreParseMultipartForm: true,
		// Without this, Fiber trusts X-Forwarded-Host and X-Forwarded-Proto from every sender.
		EnableTrustedProxyCheck: true,
		ErrorHandler:            ErrorHandler(logger),
	}
}

// ErrorHandler answers what fails outside of operations: unknown paths and verbs, requests that are too large or
// malformed, and panics (as 500, logged with their cause).
func ErrorHandler(logger *slog.Logger) fiber.ErrorHandler {
	return func(c *fiber.Ctx, err error) error {
		theirs, foreign := errors.AsType[*fiber.Error](err)
		if foreign && theirs.Code == http.StatusMethodNotAllowed && c.Method() == http.MethodOptions {
			// Fiber has determined what the path allows: that is the whole answer to OPTIONS.
			c.Response().ResetBody()
			c.Status(http.StatusNoContent)
			return nil
		}
		p := NewProblem(Own(c, err))
		if foreign && theirs.Code >= 400 && theirs.Code < 500 {
			p.status = theirs.Code
		}
		report(c.UserContext(), logger, "", p, err)
		WriteProblem(c, p)
		return nil
	}
}

// ErrBodyTooLarge refuses a request whose body exceeds the limit, as sent or decompressed.
var ErrBodyTooLarge = apperr.New(apperr.KindTooLarge, "The request body is too large")

// Own converts a failure outside of operations to our error.
func Own(c *fiber.Ctx, err error) *apperr.Error {
	if own, ok := errors.AsType[*apperr.Error](err); ok {
		return own
	}
	if theirs, ok := errors.AsType[*fiber.Error](err); ok {
		return fromFiber(c, theirs)
	}
	return apperr.Internal(err)
}

// WantsPage reports whether a browser requests a page. Requests of scripts on a page do not count. It sets the header Vary.
func WantsPage(c *fiber.Ctx) bool {
	c.Response().Header.Add(fiber.HeaderVary, fiber.HeaderAccept)
	return (c.Method() == http.MethodGet || c.Method() == http.MethodHead) &&
		c.Accepts(fiber.MIMEApplicationJSON, fiber.MIMETextHTML) == fiber.MIMETextHTML
}

// NotFound is the answer to an unknown path, and to operations that must look absent.
func NotFound(c *fiber.Ctx) error { return fiber.NewError(http.StatusNotFound) }

func fromFiber(c *fiber.Ctx, e *fiber.Error) *apperr.Error {
	switch e.Code {
	case http.StatusNotFound:
		if other := otherSlash(c, e); other != "" {
			return apperr.NotFound("There is no %s; did you mean %q?", printablePath(c), printable(other))
		}
		return apperr.NotFound("There is no %s; see /openapi.json for every operation", printablePath(c))
	case http.StatusMethodNotAllowed:
		return apperr.New(apperr.KindMethodNotAllowed, "This method is not allowed here; allowed: %s",
			c.Response().Header.Peek(fiber.HeaderAllow))
	case http.StatusRequestEntityTooLarge:
		return ErrBodyTooLarge
	case http.StatusRequestHeaderFieldsTooLarge:
		return apperr.New(apperr.KindTooLarge, "The URL and headers of the request are too large")
	case http.StatusRequestTimeout:
		return apperr.New(apperr.KindInvalid, "The request was not received in time")
	}
	if e.Code >= http.StatusInternalServerError {
		return apperr.Internal(e)
	}
	return apperr.New(apperr.KindInvalid, "The request is malformed")
}

// otherSlash is the path of a request with a slash added or removed at its end, if the router knows only that one; else "".
// What NotFound hides stays hidden, because only the router is asked.
func otherSlash(c *fiber.Ctx, e *fiber.Error) string {
	if !strings.HasPrefix(e.Message, "Cannot ") {
		return ""
	}
	other, cut := strings.CutSuffix(c.Path(), "/")
	if !cut {
		other += "/"
	}
	for _, stack := range c.App().Stack() {
		for _, route := range stack {
			if len(route.Path) > 1 && PathMatches(route.Path, other) {
				return other
			}
		}
	}
	return ""
}

// PathMatches reports whether a path matches a Fiber route, segment by segment; a parameter matches any text.
func PathMatches(route, path string) bool {
	for {
		want, restWanted, more := strings.Cut(route, "/")
		have, rest, moreThere := strings.Cut(path, "/")
		fixed, _, open := strings.Cut(want, ":")
		if more != moreThere || !open && want != have || open && (len(have) <= len(fixed) || !strings.HasPrefix(have, fixed)) {
			return false
		}
		if !more {
			return true
		}
		route, path = restWanted, rest
	}
}

func printablePath(c *fiber.Ctx) string {
	path, _, _ := strings.Cut(c.OriginalURL(), "?")
	return printable(path)
}
