package web

import (
	"fmt"
	"net/http"
	"slices"
	"sync"

	"github.com/danielgtaylor/huma/v2"
	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"

	"gpatlas/platform/httpapi"
)

// addPages serves the descriptions of the API: the OpenAPI document, the interactive reference and the text for language
// models. All are made on first request, because they never change, and writing the document takes most of a process's start.
func (a *App) addPages() error {
	a.documentTags()
	if err := addExamples(a.API.OpenAPI()); err != nil {
		return err
	}
	a.Fiber.Get("/openapi.json", fixedAs("application/json", sync.OnceValues(a.API.JSON), nil))
	a.Fiber.Get("/openapi.yaml", fixedAs("application/yaml", sync.OnceValues(a.API.YAML), nil))
	a.Fiber.Get("/llms.txt", fixedAs("text/plain; charset=utf-8", sync.OnceValues(func() ([]byte, error) { return llms(a.API), nil }), nil))
	addReference(a.Fiber)
	return nil
}

// tags are the headings of the document in the order in which people buy: the data first, then the caller and their money, and
// operators' operations last. An unknown heading comes last without a description, which a test rejects.
var tags = []huma.Tag{
	{Name: "Fund managers", Description: "Investment advisers that manage private funds (GPs): search, details, funds, totals and filings."},
	{Name: "Funds", Description: "Private funds, as reported by their advisers in Form ADV, Schedule D, section 7.B.(1)."},
	{Name: "Search", Description: "Fund managers and funds together: unified search, autocomplete and suggestions."},
	{Name: "Reference", Description: "Totals of the catalog, and the strategies and places that the filters accept, with counts."},
	{Name: "History and analytics", Description: "Changes over time: amendments, comparisons of two filings, growth, regulatory events, similar managers and market totals."},
	{Name: "People", Description: "Teams, former members, careers and open positions of a fund manager, and the search for people. A preview is free and has no names."},
	{Name: "LPs", Description: "Investors (limited partners) with their published commitments to funds, from the lists of public pension plans and others."},
	{Name: "Export", Description: "The results of a search as a file: CSV or newline-delimited JSON."},
	{Name: "Accounts", Description: "Registration, sessions, passwords, and the account's own data."},
	{Name: "API keys", Description: "Create, rename and revoke the API keys of an account."},
	{Name: "Usage", Description: "Requests made by an account or API key, and requests left."},
	{Name: "Watchlist", Description: "The fund managers that an account watches, and news about them."},
	{Name: "Collections", Description: "Named lists of fund managers."},
	{Name: "Changes", Description: "One log of everything that changes in the catalog."},
	{Name: "Webhooks", Description: "URLs of an account to which changes are posted, with a signature."},
	{Name: "Saved searches", Description: "Searches saved with an account, to be run again."},
	{Name: "School program", Description: "Free access for students of participating schools."},
	{Name: "Billing", Description: "What an account spends: spending cap, purchases, preferences, subscription."},
	{Name: "Notifications", Description: "The emails that an account wants, and unsubscribing from them."},
	{Name: "Service", Description: "The service itself: description, health and age of the data."},
	{Name: "Legal", Description: "The terms of service, and who operates the service."},
	{Name: "Data operations", Description: "For operators: sources, extractions, quality, alerts, overrides and the refresh queue."},
	{Name: "Administration", Description: "For operators: notifications, mailings and scheduled jobs."},
}

// documentTags lists the tags in reading order, and the security schemes in use.
func (a *App) documentTags() {
	document := a.API.OpenAPI()
	schemes := httpapi.SecuritySchemes()
	document.Components.SecuritySchemes = map[string]*huma.SecurityScheme{}
	seen := map[string]bool{}
	for _, r := range a.API.Routes() {
		for _, tag := range r.Operation.Tags {
			if !seen[tag] {
				seen[tag] = true
				document.Tags = append(document.Tags, &huma.Tag{Name: tag})
			}
		}
		for _, alternative := range r.Operation.Security {
			for name := range alternative {
				document.Components.SecuritySchemes[name] = schemes[name]
			}
		}
	}
	for _, item := range document.Webhooks { // a signature stands in for a credential
		item.Post.Security = []map[string][]string{{}}
	}
	order := func(name string) int {
		if i := slices.IndexFunc(tags, func(t huma.Tag) bool { return t.Name == name }); i >= 0 {
			return i
		}
		return len(tags)
	}
	slices.SortStableFunc(document.Tags, func(x, y *huma.Tag) int { return order(x.Name) - order(y.Name) })
	for _, tag := range document.Tags {
		if i := order(tag.Name); i < len(tags) {
			tag.Description = tags[i].Description
		}
	}
}

// fixed serves bytes that never change, with an entity tag. Their compressed forms are made on first request.
func fixed(contentType string, body []byte) fiber.Handler {
	return fixedAs(contentType, func() ([]byte, error) { return body, nil }, nil)
}

// fixedAs is fixed for a body that is made on first request, and that may exist in its brotli form.
func fixedAs(contentType string, made func() ([]byte, error), packed []byte) fiber.Handler {
	brotli, gzip := sync.OnceValue(func() []byte {
		if packed != nil {
			return packed
		}
		body, _ := made()
		return fasthttp.AppendBrotliBytesLevel(nil, body, fixedLevel)
	}), sync.OnceValue(func() []byte {
		body, _ := made()
		return fasthttp.AppendGzipBytesLevel(nil, body, fixedLevel)
	})
	return func(c *fiber.Ctx) error {
		body, err := made()
		if err != nil {
			return fmt.Errorf("write %s: %w", c.Path(), err)
		}
		httpapi.WriteTagged(c, contentType, body)
		header := &c.Response().Header
		header.Set(fiber.HeaderCacheControl, "public, max-age=300")
		if len(body) < compressFrom || !compressible(header.ContentType()) || c.Response().StatusCode() != http.StatusOK {
			return nil
		}
		header.Add(fiber.HeaderVary, fiber.HeaderAcceptEncoding)
		switch encoding := negotiate(c.Request().Header.Peek(fiber.HeaderAcceptEncoding)); encoding {
		case "br":
			setEncoded(c, encoding, brotli())
		case "gzip":
			setEncoded(c, encoding, gzip())
		}
		return nil
	}
}

// fixedLevel is slow, because it compresses only once.
const fixedLevel = 6
