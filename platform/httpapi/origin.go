package httpapi

import (
	"strings"

	"github.com/gofiber/fiber/v2"
)

// HeaderFetchSite is the header in which browsers state the origin of a request (Fetch Metadata), on secure connections.
const HeaderFetchSite = "Sec-Fetch-Site"

// SameOrigin reports whether a request comes from one of our pages. It uses headers that browsers set and pages cannot change:
// Sec-Fetch-Site, or Origin if a browser does not send it. A request without both does not come from a page. origin is ours
// ("https://atlas.example"); empty means that of the requested host.
func SameOrigin(c *fiber.Ctx, origin string) bool {
	if site := c.Get(HeaderFetchSite); site != "" {
		return site == "same-origin"
	}
	sent := c.Get(fiber.HeaderOrigin)
	if origin != "" {
		return sent == origin
	}
	_, host, found := strings.Cut(sent, "://")
	return found && host == string(c.Context().Host())
}

// OwnPage sets the headers of a page that no other origin may read, frame or embed.
func OwnPage(c *fiber.Ctx, policy string) {
	header := &c.Response().Header
	header.Del(fiber.HeaderAccessControlAllowOrigin)
	header.Del(fiber.HeaderAccessControlExposeHeaders)
	header.Set(fiber.HeaderContentSecurityPolicy, policy)
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}
