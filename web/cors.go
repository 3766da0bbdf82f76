package web

import (
	"net/http"
	"slices"

	"github.com/gofiber/fiber/v2"
)

const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
	corsHeaders = "Authorization, Content-Type, If-None-Match, Idempotency-Key, X-Request-ID, X-Session-ID"
	corsExpose  = "ETag, Link, Retry-After, X-Request-ID, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, " +
		"RateLimit, RateLimit-Policy, X-Charge, X-Charge-Estimate, X-Test-Mode, Idempotent-Replayed, WWW-Authenticate"
	corsMaxAge = "86400"
)

// cors lets pages of other origins call the API. Callers identify themselves by header, never by cookie, so
// credentials are not allowed and any origin may be.
type cors struct {
	any     bool
	origins []string
}

func newCORS(origins []string) cors {
	return cors{any: slices.Contains(origins, "*"), origins: origins}
}

// apply adds the headers of an answer and reports whether the request was a preflight, which it has then answered.
func (o cors) apply(c *fiber.Ctx) (preflight bool) {
	header := &c.Response().Header
	if !o.any {
		header.Add(fiber.HeaderVary, fiber.HeaderOrigin)
	}
	origin := c.Request().Header.Peek(fiber.HeaderOrigin)
	if len(origin) == 0 {
		return false
	}
	switch {
	case o.any:
		header.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	case slices.Contains(o.origins, string(origin)):
		header.SetBytesV(fiber.HeaderAccessControlAllowOrigin, origin)
	default:
		return false
	}
	if c.Method() != http.MethodOptions || len(c.Request().Header.Peek(fiber.HeaderAccessControlRequestMethod)) == 0 {
		header.Set(fiber.HeaderAccessControlExposeHeaders, corsExpose)
		return false
	}
	header.Set(fiber.HeaderAccessControlAllowMethods, corsMethods)
	header.Set(fiber.HeaderAccessControlAllowHeaders, corsHeaders)
	header.Set(fiber.HeaderAccessControlMaxAge, corsMaxAge)
	c.Status(http.StatusNoContent)
	return true
}
