package console

import (
	"net/http"
	"regexp"
	"time"

	"github.com/gofiber/fiber/v2"
)

// cookie keeps a browser's session: a random secret that means nothing by itself.
//
// Over HTTPS its name begins with __Host-, which browsers accept only from this host, over a secure connection and for the
// whole site: neither a subdomain nor an attacker on the network can plant one. Over plain HTTP, as in development, not every
// browser keeps such a cookie (Chromium and Firefox keep it for this machine's own addresses, Safari does not), so there the
// name is plain.
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

// secretPattern is the format of a secret; other values are not passed to a verifier.
var secretPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{20,128}$`)

// readMax is how many cookies of the name are tried, because each needs a verification.
const readMax = 4

// read returns the possible secrets. A browser sends several cookies of one name if another page of the host, or of a parent
// domain, has set its own, and they cannot be distinguished.
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
	c.Response().Header.Del(fiber.HeaderSetCookie) // the last one counts
	c.Response().Header.Add(fiber.HeaderSetCookie, text)
}
