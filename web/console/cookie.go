package console

import (
	"net/http"
	"regexp"
	"time"

	"github.com/gofiber/fiber/v2"
)

// cookie keeps a browser's session: a random secret that means nothing by itself.
//
// Over HTTPS its name begins with __Host-, which browsers take from this host alone, over a safe connection alone and for no
// other path: neither a subdomain nor somebody on the line can plant one. Over plain HTTP, as in development, such a cookie
// is not kept by every browser (Chromium and Firefox keep it for this machine's own addresses, Safari does not), so there
// the name is plain.
type cookie struct {
	name   string
	secure bool
}

func newCookie(secure bool) cookie {
	if secure {
		return cookie{"__Host-gpa", true}
	}
	return cookie{"gpa", false}
}

// secretPattern is what may be a secret; nothing else is work for a verifier.
var secretPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{20,128}$`)

// readMax is how many cookies of the name are tried: each is work for a verifier.
const readMax = 4

// read returns what may be the secret. A browser sends several cookies of one name if another page of the host, or of a domain
// above it, has set its own, and nothing tells which is ours.
func (k cookie) read(c *fiber.Ctx) (secrets []string) {
	for name, value := range c.Request().Header.Cookies() {
		if string(name) == k.name && secretPattern.Match(value) && len(secrets) < readMax {
			secrets = append(secrets, string(value))
		}
	}
	return secrets
}

func (k cookie) set(c *fiber.Ctx, secret string, lifetime time.Duration) {
	k.write(c, secret, int(lifetime/time.Second))
}

func (k cookie) remove(c *fiber.Ctx) { k.write(c, "", -1) }

func (k cookie) write(c *fiber.Ctx, value string, maxAge int) {
	text := (&http.Cookie{ //nolint:gosec // Secure wherever the pages are reached by HTTPS
		Name: k.name, Value: value, Path: "/", MaxAge: maxAge, Secure: k.secure, HttpOnly: true, SameSite: http.SameSiteLaxMode,
	}).String()
	c.Response().Header.Del(fiber.HeaderSetCookie) // the last word counts
	c.Response().Header.Add(fiber.HeaderSetCookie, text)
}
