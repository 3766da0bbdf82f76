package console

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"gpatlas/platform/apperr"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

// menus are where the pages with a navigation of their own are, and its name.
var menus = []templates.Link{{Path: "/account", Text: "Account"}, {Path: "/admin", Text: "Operator"}}

// menu is the navigation of the account's or the operator's pages, if p is one of them, and the path of the link that leads to p.
func (h *Host) menu(p console.Page) (name string, links []templates.Link, here string) {
	at := slices.IndexFunc(menus, func(m templates.Link) bool { return below(m.Path, p.Path) })
	if at < 0 {
		return "", nil, ""
	}
	for _, own := range h.own {
		if !below(menus[at].Path, own.Path) {
			continue
		}
		links = append(links, templates.Link{Path: own.Path, Text: own.Menu})
		if below(own.Path, p.Path) && len(own.Path) > len(here) {
			here = own.Path
		}
	}
	return menus[at].Text, links, here
}

// below reports whether a path is root, or below it.
func below(root, path string) bool {
	rest, ok := strings.CutPrefix(path, root)
	return ok && (rest == "" || rest[0] == '/')
}

// sortMenus puts the links of the navigations in their order.
func (h *Host) sortMenus() {
	slices.SortStableFunc(h.own, func(a, b console.Page) int { return cmp.Compare(a.Order, b.Order) })
}

// looking is the API of a page that is only looked at.
type looking struct{ console.API }

// Do refuses: only the POST of a form, whose origin is checked, may change something.
func (looking) Do(context.Context, string, url.Values, any) (*console.Answer, error) {
	return nil, apperr.Internal(errors.New("a page that is only looked at must change nothing"))
}

// Buy refuses as Do does: looking at a page costs nothing.
func (l looking) Buy(ctx context.Context, operation string, _ url.Values, _, _ string) (*console.Answer, error) {
	return l.Do(ctx, operation, nil, nil)
}

// api is the API for a page's request.
func (h *Host) api(c *fiber.Ctx) console.API {
	if c.Method() == http.MethodPost {
		return h.API
	}
	return looking{h.API}
}

// send sends a file. It is not cached, because it may contain data of the account.
func send(c *fiber.Ctx, f *console.File) error {
	c.Set(fiber.HeaderContentType, f.Type)
	if f.Disposition != "" {
		c.Set(fiber.HeaderContentDisposition, f.Disposition)
	}
	c.Context().SetBodyStream(f.Body, -1)
	return nil
}
