package httpapi

import (
	"strings"

	"github.com/gofiber/fiber/v2"
)

// HeaderFetchSite is how browsers tell where a request comes from (Fetch Metadata), where the connection is safe.
const HeaderFetchSite = "Sec-Fetch-Site"

// SameOrigin says whether a request comes from a page of ours. It believes what browsers say of a request's sender and pages
// cannot change: Sec-Fetch-Site, or Origin where a browser does not send it. A request without both is not a page's. origin is
// ours ("https://atlas.example"); empty means that of whatever host is asked.
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

// OwnPage gives an answer the headers of a page that no other origin may read, frame or embed.
func OwnPage(c *fiber.Ctx, policy string) {
	header := &c.Response().Header
	header.Del(fiber.HeaderAccessControlAllowOrigin)
	header.Del(fiber.HeaderAccessControlExposeHeaders)
	header.Set(fiber.HeaderContentSecurityPolicy, policy)
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
}
