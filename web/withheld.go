package web

import (
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// withheld is the beginning of the paths of an operation whose access line has no query. If caller is set, because people come
// from an email, it has neither the rest of the path nor the caller.
type withheld struct {
	prefix string
	caller bool
}

const redacted = "[redacted]"

// requestLine is the access line's data about a request and its sender.
type requestLine struct{ path, query, client, agent string }

// line removes what is withheld. It depends on the path alone, so it also covers requests that are refused before they reach an
// operation, or that have the wrong method, case or end.
func (t *traffic) line(c *fiber.Ctx, address netip.Addr) requestLine {
	uri := c.Request().URI()
	line := requestLine{
		clip(uri.PathOriginal()), clip(uri.QueryString()), address.String(), clip(c.Request().Header.UserAgent()),
	}
	path := uri.Path()
	for _, w := range t.withheld {
		switch {
		case len(path) < len(w.prefix) || !strings.EqualFold(string(path[:len(w.prefix)]), w.prefix):
			continue
		case !w.caller && line.query != "":
			line.query = redacted
		case w.caller && len(path) > len(w.prefix):
			return requestLine{path: w.prefix + redacted}
		case w.caller:
			return requestLine{path: w.prefix}
		}
	}
	return line
}
