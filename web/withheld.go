package web

import (
	"net/netip"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// withheld is where the paths of an operation begin whose access line tells less: it has no query. Where caller is set,
// because people come from an email, it has neither the rest of the path nor the caller.
type withheld struct {
	prefix string
	caller bool
}

const redacted = "[redacted]"

// requestLine is what the access line tells of a request and its sender.
type requestLine struct{ path, query, client, agent string }

// line leaves out what is withheld. It goes by the path alone, so that a request is covered that is refused before it comes to
// an operation, or has the wrong method, case or end.
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
