package unsubscribe

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"net/url"
	"strings"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/platform/httpapi"
)

//go:embed page.html
var pageHTML string

//go:embed page.css
var pageCSS string

var pageTemplate = template.Must(template.New("page").Parse(pageHTML))

// style is the page's style sheet: the policy has its hash.
var style = strings.TrimSpace(pageCSS)

// page is the contents of the page.
type page struct {
	Title, Text, Button, Action string
	More, MoreURL               string
}

// words are the names of categories for people.
var words = map[string]string{
	kind.Billing:        "receipts and spending alerts",
	kind.ActivityDigest: "the activity digest",
	kind.MarketIntel:    "the market report",
	kind.Product:        "product news",
	preference.All:      "all emails that can be turned off",
}

// ask is the page with the button. Opening it changes nothing: mail scanners open every link.
func ask(base, token, category string) page {
	p := page{
		Title: "Unsubscribe from " + words[category] + "?", Button: "Unsubscribe",
		Text:   "Press the button to stop getting " + words[category] + " at your address. Emails about your account, its plan, failed payments and its security still arrive.",
		Action: address(base, token, category),
	}
	if category != preference.All {
		p.More, p.MoreURL = "Stop "+words[preference.All]+" instead", address(base, token, preference.All)
	}
	return p
}

// done is the page after it.
func done(base, token, category string) page {
	p := page{
		Title: "You are unsubscribed",
		Text:  noMore(category) + " You can turn them on again in your account.",
	}
	if category != preference.All {
		p.More, p.MoreURL = "Stop "+words[preference.All], address(base, token, preference.All)
	}
	return p
}

// noMore is the text about what was turned off.
func noMore(category string) string {
	if category == preference.All {
		return "You will get only emails that cannot be turned off: those about your account, its plan, failed payments and its security."
	}
	return "You will not get " + words[category] + " any more."
}

// address is the page's own URL, for a category; base is its path before the token.
func address(base, token, category string) string {
	return base + token + "?" + url.Values{"category": {category}}.Encode()
}

// noLink is the page for an invalid token.
var noLink = page{
	Title: "This link does not work",
	Text:  "It may have been cut off by your mail program. Open the link in a newer email, or sign in and choose your emails in your account.",
}

// noCategory is the page for an unknown category.
var noCategory = page{
	Title: "This link does not work",
	Text: "It names a kind of emails that there is not, or that cannot be turned off. Open the link in an email as it stands there, or sign in and " +
		"choose your emails in your account.",
}

// policy allows the page its own style sheet and to send its form to this host; nothing else.
var policy = func() string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}()

// reply writes a page.
func (p page) reply(status int) (*httpapi.Reply[httpapi.Bytes], error) {
	var out bytes.Buffer
	err := pageTemplate.Execute(&out, struct {
		page

		Style template.CSS
	}{p, template.CSS(style)}) //nolint:gosec // our own sheet
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Bytes]{
		Raw: out.Bytes(), ContentType: htmlType, Status: status,
		Header: map[string]string{"Content-Security-Policy": policy, "Referrer-Policy": "no-referrer"},
	}, nil
}
