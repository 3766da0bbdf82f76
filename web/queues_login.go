package web

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/httpapi"
)

// queueCookie holds the access token of an administrator's session. It is sent only to QueuesPath, and only from pages of this
// site.
const queueCookie = "gpa_queue"

// queueToken is what may be a token (RFC 6750); a longer one than queueTokenMax would not fit into a cookie.
var queueToken = regexp.MustCompile(`^[A-Za-z0-9._~+/=-]+$`)

const queueTokenMax = 3072

const (
	queueLoginStyle = "body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}" +
		"input{box-sizing:border-box;width:100%;font:inherit;padding:.4rem;margin:.3rem 0 1rem}button{font:inherit;padding:.4rem 1.2rem}"
	queueLoginHead = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">` +
		`<title>Job queues · ` + Title + `</title><style>` + queueLoginStyle + `</style></head><body><h1>Job queues</h1>`
	queueLoginForm = `<form method="post" action="` + QueuesPath + `/login"><label for="access_token">Access token of an administrator’s session</label>` +
		`<input id="access_token" name="access_token" type="password" autocomplete="off" required maxlength="3072" autofocus>` +
		`<button>Open</button></form><p>POST /v1/auth/login returns one. This browser keeps it until it expires or you sign out.</p></body></html>`
	queueLoginRefused = `<p role="alert">This is not the access token of an active administrator session.</p>`
)

var queueLoginPolicy = func() string {
	sum := sha256.Sum256([]byte(queueLoginStyle))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}()

func (q *queues) showLogin(c *fiber.Ctx) error { return q.loginPage(c, http.StatusOK, "") }

func (q *queues) loginPage(c *fiber.Ctx, status int, notice string) error {
	q.setPageHeaders(c, queueLoginPolicy)
	c.Set(fiber.HeaderContentType, fiber.MIMETextHTMLCharsetUTF8)
	return c.Status(status).SendString(queueLoginHead + notice + queueLoginForm)
}

// login accepts an access token, from the form or as Authorization: Bearer, and puts it into the cookie. All tokens that do not
// open the page are refused identically.
func (q *queues) login(c *fiber.Ctx) error {
	if (c.Get(httpapi.HeaderFetchSite) != "" || c.Get(fiber.HeaderOrigin) != "") && !httpapi.SameOrigin(c, q.origin) {
		return q.loginPage(c, http.StatusForbidden, queueLoginRefused) // another site's form
	}
	token, sent := bearer(c.Request().Header.Peek(fiber.HeaderAuthorization))
	if !sent {
		if err := q.bodies.unpack(c); err != nil {
			return err
		}
		token = strings.TrimSpace(string(c.Request().PostArgs().Peek("access_token"))) // never from the URL, which is logged
	}
	caller, err := q.admin(c, token)
	if err != nil {
		return err
	}
	cookie := &fiber.Cookie{Name: queueCookie, Value: token, Path: QueuesPath, Secure: q.secure, HTTPOnly: true, SameSite: fiber.CookieSameSiteStrictMode}
	if end, known := expiry(token); known {
		cookie.MaxAge = int(end.Sub(q.clock.Now()) / time.Second)
		if cookie.MaxAge <= 0 {
			caller = nil
		}
	}
	if caller == nil {
		return q.loginPage(c, http.StatusForbidden, queueLoginRefused)
	}
	q.logger.LogAttrs(c.UserContext(), slog.LevelInfo, "queues opened by an administrator", slog.Int64("user_id", caller.UserID))
	q.setPageHeaders(c, queueLoginPolicy)
	c.Cookie(cookie)
	return c.Redirect(QueuesPath, http.StatusSeeOther)
}

// expiry reads when a JWT ends (RFC 7519). The session verifier has checked its signature; without an expiry the cookie ends
// with the browser, and in any case with the session.
func expiry(token string) (time.Time, bool) {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return time.Time{}, false
	}
	claims, err := base64.RawURLEncoding.DecodeString(parts[1])
	var c struct {
		End float64 `json:"exp"`
	}
	if err != nil || json.Unmarshal(claims, &c) != nil || c.End <= 0 || c.End >= 1<<40 {
		return time.Time{}, false
	}
	return time.Unix(int64(c.End), 0), true
}
