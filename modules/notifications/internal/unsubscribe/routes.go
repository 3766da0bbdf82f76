package unsubscribe

import (
	"bytes"
	"context"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"

	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/platform/apperr"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

const (
	htmlType = "text/html; charset=utf-8"
	path     = pagePath + "{token}"
	mostBody = 16 << 10 // bytes of a one-click request
)

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations of unsubscribing. They are open to all callers: the token is the authority. They have no limits: a
// mail provider makes the one-click requests of all its customers from a few IP addresses, and a token cannot be guessed.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Get(path, "show-unsubscribe-page", s.show, httpapi.Produces(htmlType),
			httpapi.Examples(shown(ask(pagePath, shownToken, kind.ActivityDigest))), httpapi.AnswersLike(http.StatusNotFound, noLinkText, shown(noLink)),
			httpapi.Summary("Show the page of an unsubscribe link"), httpapi.Describe(showText)),
		httpapi.Post(path, "unsubscribe-by-link", s.press, httpapi.Produces(htmlType), httpapi.BodyOptional(), httpapi.MaxBody(mostBody),
			httpapi.Examples(shown(done(pagePath, shownToken, kind.ActivityDigest))), httpapi.AnswersLike(http.StatusNotFound, noLinkText, shown(noLink)),
			httpapi.Summary("Unsubscribe with the button or by one click"), httpapi.Describe(pressText), httpapi.NotIdempotent(),
			httpapi.Errors(http.StatusRequestEntityTooLarge)),
		httpapi.Post("/v1/me/notifications/unsubscribe", "unsubscribe", s.post, httpapi.NotIdempotent(),
			httpapi.Summary("Unsubscribe with the token of an email"), httpapi.Describe(postText),
			httpapi.Errors(http.StatusNotFound)),
	}, httpapi.Tag("Notifications"), httpapi.Unguarded(), httpapi.Discreet(), httpapi.Volatile(), httpapi.Errors(http.StatusServiceUnavailable))
}

// shown is an example page for the documentation.
func shown(p page) string {
	reply, err := p.reply(http.StatusOK)
	if err != nil {
		panic(err) // the template does not fit the page
	}
	return string(reply.Raw)
}

const shownToken = "AAAAAAAAAAECmZbT1W0c6x2nPpQzYl8Gk4sVhA0"

const noLinkText = "A page that says that the link does not work: the token is not one of ours, or the category is none that can be turned off."

const showText = `Returns the HTML page that the link in the footer of an email opens. It has one button and changes nothing, because programs that scan emails open every link. A token that is not ours returns the status 404, with a page.`

const pressText = `The button of the page, and the one-click request of mail programs (RFC 8058): a form with ` + "`List-Unsubscribe=One-Click`" + ` in either encoding, or no body. The token decides what is turned off, so the body is not needed. Repeating the request changes nothing.`

const postText = `Turns off one category of emails, or all that can be turned off, with the token of any of the account's emails: the last part of the path of its unsubscribe link. Send either ` + "`category` or `\"all\": true`" + `; with neither, the category of the email is turned off. Repeating the request changes nothing. Tokens do not expire. To turn emails on again, sign in and use ` + "`PUT /v1/me/notifications/preferences`" + `.`

// Link is a link's contents.
type Link struct {
	Token    string `path:"token" maxLength:"200" doc:"Token from the link in an email." example:"KXK7BE2W3yhxugNMld4ncLkCS5TdJm-4AUqT3CVutwBJktskbQ"`
	Category string `query:"category" maxLength:"50" doc:"Category to turn off: billing, activity_digest, market_intel, product or all. Default: that of the email." example:"activity_digest"`
}

// PressInput is the request of the button, and of a mail program.
type PressInput struct {
	Link

	ContentType string `header:"Content-Type" doc:"Encoding of the form." example:"application/x-www-form-urlencoded"`
	RawBody     []byte
}

func (s *Service) show(ctx context.Context, in *Link) (*httpapi.Reply[httpapi.Bytes], error) {
	category, err := s.Look(ctx, in.Token, in.Category)
	return s.answer(ask, in, category, err)
}

func (s *Service) press(ctx context.Context, in *PressInput) (*httpapi.Reply[httpapi.Bytes], error) {
	if in.Category == "" {
		in.Category = named(in.ContentType, in.RawBody)
	}
	category, err := s.Refuse(ctx, in.Token, in.Category)
	return s.answer(done, &in.Link, category, err)
}

// answer is a page: the given one, or that of an invalid link.
func (s *Service) answer(good func(base, token, category string) page, in *Link, category string, err error) (*httpapi.Reply[httpapi.Bytes], error) {
	if err == nil {
		return good(s.tokens.base(), in.Token, category).reply(http.StatusOK)
	}
	kind := apperr.From(err).Kind
	if kind == apperr.KindNotFound {
		return noLink.reply(http.StatusNotFound)
	}
	if kind == apperr.KindInvalid {
		return noCategory.reply(http.StatusNotFound)
	}
	return nil, err
}

// named is the category in a form. The rest of the body is ignored: the token is the authority.
func named(contentType string, body []byte) string {
	kind, parameters, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	switch kind {
	case "application/x-www-form-urlencoded":
		if form, err := url.ParseQuery(string(body)); err == nil {
			return form.Get("category")
		}
	case "multipart/form-data":
		reader := multipart.NewReader(bytes.NewReader(body), parameters["boundary"])
		for {
			part, err := reader.NextPart()
			if err != nil {
				return ""
			}
			if part.FormName() == "category" {
				value, _ := io.ReadAll(part)
				return string(value)
			}
		}
	}
	return ""
}

// PostInput is the body of an unsubscribe request.
type PostInput struct {
	Body struct {
		Token    string              `json:"token" minLength:"1" maxLength:"200" doc:"Token from the unsubscribe link of an email." example:"KXK7BE2W3yhxugNMld4ncLkCS5TdJm-4AUqT3CVutwBJktskbQ"`
		Category httpapi.Opt[string] `json:"category,omitzero" enum:"billing,activity_digest,market_intel,product" doc:"Category to turn off. Default: that of the email." example:"activity_digest"`
		All      httpapi.Opt[bool]   `json:"all,omitzero" doc:"true: turns off every category that can be turned off." example:"false"`
	}
}

// Unsubscribed is the answer.
type Unsubscribed struct {
	Category string `json:"category" doc:"What is turned off: a category, or all." example:"activity_digest"`
	Message  string `json:"message" doc:"Message to show to the person." example:"You will not get the activity digest any more."`
}

// SchemaName is its name in the OpenAPI document.
func (Unsubscribed) SchemaName() string { return "NotificationUnsubscribed" }

func (s *Service) post(ctx context.Context, in *PostInput) (*httpapi.Reply[httpapi.Data[Unsubscribed]], error) {
	category := in.Body.Category.Value
	if in.Body.All.Value {
		if in.Body.Category.Set {
			return nil, apperr.Invalid(apperr.FieldError{Field: "all", Message: "cannot be sent together with category"})
		}
		category = preference.All
	}
	category, err := s.Refuse(ctx, in.Body.Token, category)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[httpapi.Data[Unsubscribed]]{Body: httpapi.Data[Unsubscribed]{
		Data: Unsubscribed{category, noMore(category)},
	}}, nil
}
