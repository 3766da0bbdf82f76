package web

import (
	"context"
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
)

// adminPath begins the paths of pages for administrators.
const adminPath = "/admin"

// belowAdmin reports whether a path is of such a page.
func belowAdmin(path string) bool {
	rest, ok := strings.CutPrefix(path, adminPath)
	return ok && (rest == "" || rest[0] == '/')
}

// operatorKey marks the context of a request from the browser of an administrator.
type operatorKey struct{}

// operator is the context of a request from a browser with a session; caller is nil if it could not be checked.
func operator(ctx context.Context, caller *auth.Principal, address netip.Addr) context.Context {
	if caller == nil {
		return auth.With(ctx, &auth.Principal{Address: address})
	}
	return context.WithValue(auth.With(ctx, caller), operatorKey{}, true)
}

// administratorsOnly lets administrators pass. Everybody else gets the response of an unknown path for every path below adminPath, whether
// it has a page or not. Only the cookie of a browser identifies an administrator here, no header: see Host.Administrator.
func administratorsOnly(c *fiber.Ctx) error {
	if belowAdmin(c.Path()) && c.UserContext().Value(operatorKey{}) == nil {
		return httpapi.NotFound(c)
	}
	return c.Next()
}
