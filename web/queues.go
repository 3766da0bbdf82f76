package web

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/gofiber/fiber/v2"
	"github.com/gofiber/fiber/v2/middleware/adaptor"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/jobs/queueui"
)

// QueuesPath is the page of the job queues for administrators. It is not an operation of the API.
const QueuesPath = "/admin/queues"

// The values of Config.QueueUI; empty is read.
const (
	queueUIOff   = "off"
	queueUIRead  = "read"
	queueUIWrite = "write"
)

// NewQueueUI makes the page of the job queues; nil where it is switched off or no Redis is known. mode is Config.QueueUI.
func NewQueueUI(mode, redisURL string) (*queueui.UI, error) {
	if mode == queueUIOff || redisURL == "" {
		return nil, nil //nolint:nilnil // no page is no failure
	}
	return queueui.New(redisURL, QueuesPath, mode == queueUIWrite)
}

// queues serves the page to administrators: see administratorsOnly.
type queues struct {
	ui     *queueui.UI
	serve  fiber.Handler
	page   []byte // the same for every path of the page, which is a single-page application
	policy string // Content-Security-Policy of the page
	bodies bodies
	origin string // "https://app.example.com"; "" = of whatever host is asked
	logger *slog.Logger
}

// addQueues adds the page.
func addQueues(app *fiber.App, ui *queueui.UI, o Options) error {
	page, policy, err := queuePage(ui)
	if err != nil {
		return err
	}
	q := &queues{ui: ui, serve: adaptor.HTTPHandler(ui), page: page, policy: policy, bodies: bodies{limit: o.Config.BodyLimit}, logger: o.Logger}
	if public, err := url.Parse(o.Config.AppURL); err == nil && public.Host != "" {
		q.origin = public.Scheme + "://" + public.Host
	}
	app.All(QueuesPath, q.show)
	app.All(QueuesPath+"/*", q.show)
	return nil
}

var (
	// spareLink is what the page does not need: fonts of another server, and a manifest that browsers request without cookies.
	spareLink   = regexp.MustCompile(`<link (?:[^>]*href="https?://|rel="manifest")[^>]*>`)
	foreignPart = regexp.MustCompile(`(?:src|href)="(?:https?:)?//`)
)

// queuePage is the page without what it would load from other servers, and the policy that lets it load nothing from
// there. Its styles are made by its script, so they cannot be named one by one.
func queuePage(ui *queueui.UI) (page []byte, policy string, err error) {
	page, err = fetch(ui, QueuesPath)
	if err != nil {
		return nil, "", err
	}
	page = spareLink.ReplaceAll(page, nil)
	hashes := scriptHashes(page)
	if foreignPart.Match(page) || hashes == "" {
		return nil, "", errors.New("the queue UI's page is not the one that its policy was made for")
	}
	return page, "default-src 'none'; connect-src 'self'; img-src 'self' data:; style-src 'unsafe-inline'; " +
		"script-src 'self'" + hashes + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'", nil
}

// show answers all requests.
func (q *queues) show(c *fiber.Ctx) error {
	change := c.Method() != http.MethodGet && c.Method() != http.MethodHead
	if change {
		if err := q.mayChange(c); err != nil {
			return err
		}
		if err := q.bodies.unpack(c); err != nil {
			return err
		}
	}
	if err := q.serve(c); err != nil {
		return fmt.Errorf("the queue UI: %w", err)
	}
	q.setPageHeaders(c)
	header := &c.Response().Header
	switch {
	case bytes.HasPrefix(header.ContentType(), []byte("text/html")):
		c.Response().SetBody(q.page)
	case path.Ext(c.Path()) == ".svg": // its type would be text/plain, and nosniff makes browsers use it
		header.SetContentType("image/svg+xml")
	case strings.HasPrefix(c.Path(), QueuesPath+"/static/"):
		header.Set(fiber.HeaderCacheControl, "private, max-age=86400") // their names change with their contents
	}
	if change {
		q.logger.LogAttrs(c.UserContext(), slog.LevelInfo, "queues changed by an administrator", slog.Int64("user_id", auth.From(c.UserContext()).UserID),
			slog.String("method", c.Method()), slog.String("path", clip(c.Request().URI().PathOriginal())), slog.Int("status", c.Response().StatusCode()))
	}
	return nil
}

var (
	errReadOnly    = apperr.New(apperr.KindForbidden, "The queue pages are read-only; set WEB_QUEUE_UI=write to let administrators change queues")
	errOtherOrigin = apperr.New(apperr.KindForbidden, "Queues can be changed from the queue pages only")
)

// mayChange requires the setting, and the page itself as the sender: the page has no protection against other sites' forms.
func (q *queues) mayChange(c *fiber.Ctx) error {
	switch {
	case !q.ui.Writable():
		return errReadOnly
	case c.Method() != http.MethodPost && c.Method() != http.MethodDelete:
		return httpapi.NotFound(c)
	case !httpapi.SameOrigin(c, q.origin):
		return errOtherOrigin
	}
	return nil
}

// setPageHeaders sets the headers of a private page: other origins cannot read it, and no cache stores it.
func (q *queues) setPageHeaders(c *fiber.Ctx) {
	httpapi.OwnPage(c, q.policy)
	header := &c.Response().Header
	header.Set(fiber.HeaderReferrerPolicy, "same-origin") // with no-referrer browsers send forms without an Origin
	header.Set(fiber.HeaderCacheControl, "no-store")
}

// fetch reads one page of a handler.
func fetch(h http.Handler, address string) ([]byte, error) {
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, httptest.NewRequest(http.MethodGet, address, nil)) //nolint:noctx // no connection is made
	if recorder.Code != http.StatusOK {
		return nil, fmt.Errorf("%s: status %d", address, recorder.Code)
	}
	return bytes.Clone(recorder.Body.Bytes()), nil
}

var inlineScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// scriptHashes allows only the page's own inline scripts, by their hashes.
func scriptHashes(page []byte) string {
	var b strings.Builder
	for _, m := range inlineScript.FindAllSubmatch(page, -1) {
		sum := sha256.Sum256(m[1])
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	return b.String()
}
