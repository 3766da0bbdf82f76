package httpapi

import (
	"bufio"
	"context"
	"net/http"

	"github.com/danielgtaylor/huma/v2"
)

// Route is one declared operation with all its properties. Validation, documentation, access, charging and the tests against
// endpoints.tsv are derived from it.
type Route struct {
	Operation     huma.Operation
	Access        Access
	ChargeMicros  int64                  // micro-dollars; 0 = free
	Per           string                 // "request" or "person"; empty when free
	BulkMicros    int64                  // price per person where two or more are new to the caller; 0 = ChargeMicros
	Unlock        bool                   // a purchase that the account's one-click settings apply to
	Product       string                 // what a charge entitles to; empty if it buys one answer
	HidesMissing  bool                   // whether the thing exists is part of what is sold
	Volatile      bool                   // each answer differs: no entity tag, never stored
	Paged         bool                   // answers carry Link headers
	AlwaysOpen    bool                   // public even where Config.Keyed is set
	Discreet      bool                   // the access log does not show the caller or the mail
	Unguarded     bool                   // neither credentials nor limits are checked
	BeyondDay     bool                   // answers callers whose daily limit is used up
	KeyToo        bool                   // of Login: API keys may call it as well
	Confirmed     bool                   // refuses accounts that have not confirmed their email address, as a price does
	AdminKeyToo   bool                   // of Admin: API keys of administrators may call it as well
	PrivateQuery  bool                   // the query names persons, and is not logged
	Examples      []any                  // a successful response of each media type, for the documentation
	produces      []string               // media types of the successful response; none = JSON
	bodyOptional  bool                   // a raw body may be absent
	maxBody       int                    // bytes; 0 = the host's limit
	notIdempotent bool                   // does not honor it, whatever the rest
	headers       map[string]*huma.Param // of the successful response, besides those of every operation
	alternatives  map[int]alternative    // statuses besides the usual one with the usual body
	rows          string                 // the schema of the rows in data, if another operation declares it
	parts         bool                   // rows may lack members
	refusals      []*Problem             // the operation's own errors, shown as examples
	register      func(a *API, route *Route)
}

// Option sets one property of a Route.
type Option func(*Route)

// Reply is a handler's response: the body, and everything else in the response.
type Reply[B any] struct {
	Body B
	// Raw, if not nil, is sent instead of Body: the finished JSON encoding of a B, for frequent lists, or data of type
	// ContentType.
	Raw []byte
	// ContentType is one of those that the operation Produces; empty means the first of them, or JSON if it names none.
	ContentType string
	// Stream, if not nil, writes the body while it is sent, after the handler has returned: it must copy what it needs from the
	// request. It runs once or not at all (HEAD, a failed charge), so it opens and closes itself what it reads. The response is
	// charged before its first byte; an error closes the connection without the end of the body, so that no caller takes a part
	// for the whole. Operations that stream are Volatile.
	Stream func(w *bufio.Writer) error
	// Release, if not nil, is called once Raw has been copied, so that its buffer may go back to a pool.
	Release func()
	// Page, if not nil, becomes RFC 8288 Link headers made from the request's own URL.
	Page *Page
	// Status replaces the operation's usual status if it is not 0 (503 of an unhealthy health check).
	Status int
	// Header adds response headers.
	Header map[string]string
	// Free means that there is nothing to charge for: an empty response. Operations without a price are free anyway.
	Free bool
	// Units are the units of the operation's product (Sells) in the response: the IDs of its persons, including those that the
	// caller has bought before. The meter charges only for the others. If the price is per person, a response without units
	// costs nothing. No body contains the charged amount, because it is encoded before the charge. X-Charge does.
	Units []string
	// Places are where the response names its units, for example "900001/per_…": each is noted for the account with the charge.
	Places []string
	// Bound is the maximum of the response. It is set if the exact price would show something that is sold, such as a rank or that two
	// managers share a person: quotes, HEAD and refusals for money then depend on it, and not on the units.
	Bound *Bound
	// CRD is the adviser of the response, if the path has no parameter "crd": of people who have left, the one that named them
	// last. It is shown in the caller's purchases and receipts.
	CRD string
	// Confirmed means that the request confirms its purchase. Only operations declared Unlock may set it.
	Confirmed bool
}

// Bound is the maximum of a response, whoever was selected. Both numbers follow from free data and from what the account was sold in
// the same places.
type Bound struct {
	Most  int // units in the response
	Fresh int // units that may be charged; those above Most do not count
}

// Page is the position of a page in its list, for Link headers.
type Page struct {
	Total, Limit, Offset int
	ByPage               bool // the caller pages with page/per_page
}

// Data is the usual envelope of one value.
type Data[T any] struct {
	Data T `json:"data" doc:"What was asked for."`
}

// DataMeta is the usual envelope of a value with meta.
type DataMeta[T, M any] struct {
	Data T `json:"data" doc:"What was asked for."`
	Meta M `json:"meta" doc:"About the response: counts, filters, dates or price."`
}

// Get declares a GET operation (and its HEAD). The id is its stable kebab-case name in OpenAPI, logs and metrics.
func Get[I, B any](path, id string, handler func(ctx context.Context, in *I) (*Reply[B], error), options ...Option) Route {
	return declare(http.MethodGet, path, id, handler, options)
}

// Post declares a POST operation; in's Body field is the JSON body.
func Post[I, B any](path, id string, handler func(ctx context.Context, in *I) (*Reply[B], error), options ...Option) Route {
	return declare(http.MethodPost, path, id, handler, options)
}

// Put declares a PUT operation.
func Put[I, B any](path, id string, handler func(ctx context.Context, in *I) (*Reply[B], error), options ...Option) Route {
	return declare(http.MethodPut, path, id, handler, options)
}

// Patch declares a PATCH operation.
func Patch[I, B any](path, id string, handler func(ctx context.Context, in *I) (*Reply[B], error), options ...Option) Route {
	return declare(http.MethodPatch, path, id, handler, options)
}

// Delete declares a DELETE operation.
func Delete[I, B any](path, id string, handler func(ctx context.Context, in *I) (*Reply[B], error), options ...Option) Route {
	return declare(http.MethodDelete, path, id, handler, options)
}

// Success sets the status of the successful response if it is not 200.
func Success(status int) Option {
	return func(r *Route) { r.Operation.DefaultStatus = status }
}

// Volatile marks an operation whose responses all differ: they get no entity tag and are never stored.
func Volatile() Option { return func(r *Route) { r.Volatile = true } }

// BeyondDay marks an operation that does not count in the daily limit, and answers callers whose day is used up: it shows them their
// usage, or they ask it all day. The limits of shorter windows apply.
func BeyondDay() Option { return func(r *Route) { r.BeyondDay = true } }

// PrivateQuery keeps the query out of the log, because it names persons.
func PrivateQuery() Option { return func(r *Route) { r.PrivateQuery = true } }

// Paged documents the Link headers of a list.
func Paged() Option { return func(r *Route) { r.Paged = true } }

// Sends documents a text header of the successful response that the handler always sets.
func Sends(name, description, example string) Option {
	return func(r *Route) {
		if r.headers == nil {
			r.headers = map[string]*huma.Param{}
		}
		r.headers[name] = &huma.Param{Description: description, Required: true, Schema: &huma.Schema{Type: huma.TypeString, Examples: []any{example}}}
	}
}

// MaySend documents a header that some successful responses have, such as the file name of a CSV.
func MaySend(name, description, example string) Option {
	return func(r *Route) {
		Sends(name, description, example)(r)
		r.headers[name].Required = false
	}
}

// Examples are successful responses for the documentation, with invented names only: one for each media type, in the order of
// Produces.
func Examples(v ...any) Option { return func(r *Route) { r.Examples = v } }

// RowsOf documents the rows in data, which the handler has as JSON, by the schema of another operation's rows.
func RowsOf(schema string) Option { return func(r *Route) { r.rows = schema } }

// PartsOf is RowsOf for rows that may lack members, because the caller chooses some.
func PartsOf(schema string) Option { return func(r *Route) { r.rows, r.parts = schema, true } }

// Summary is the operation's one-line title in the documentation.
func Summary(s string) Option { return func(r *Route) { r.Operation.Summary = s } }

// Describe is the operation's longer text in the documentation; interpretations of the contract belong here.
func Describe(s string) Option { return func(r *Route) { r.Operation.Description = s } }

// Tag files the operation under a heading of the documentation.
func Tag(s string) Option {
	return func(r *Route) { r.Operation.Tags = append(r.Operation.Tags, s) }
}

// Errors names the statuses, besides 400 and 500, that the operation may answer.
func Errors(statuses ...int) Option {
	return func(r *Route) { r.Operation.Errors = append(r.Operation.Errors, statuses...) }
}

// Charge prices the operation in micro-dollars per request or person. Each successful response is charged through Config.Meter
// before it is sent, and has its cost in X-Charge. Requests may limit their cost (max_charge), and ask for the price (quote).
//
// The handler, also of a POST, must not change anything that its caller could notice: it runs for quotes and HEAD too, and its
// response is not sent if the charge is refused. The charge itself records the purchase.
func Charge(micros int64, per string) Option {
	return func(r *Route) { r.ChargeMicros, r.Per = micros, per }
}

// Sells names the entitlement that a charge for the operation creates ("roster"). Operations with the same product share their
// callers' purchases. Operations charged per person must have one; without it each response is charged again.
func Sells(product string) Option { return func(r *Route) { r.Product = product } }

// Bulk sets the price per person, in micro-dollars, of a response in which two or more persons are new to the caller. It must
// not exceed that of Charge.
func Bulk(micros int64) Option { return func(r *Route) { r.BulkMicros = micros } }

// Unlock marks the purchase of a product that the account's one-click settings apply to: a charge above their threshold is
// refused with 402 confirmation_required, unless the handler sets Reply.Confirmed.
func Unlock() Option { return func(r *Route) { r.Unlock = true } }

// HidesMissing marks an operation with a price per request whose 404 is part of what is sold, because no free response shows which
// IDs exist, or because an ID can be computed from a guess. A quote or HEAD then states the price whether the thing exists or not,
// and a caller who could not pay for it gets the same refusal.
func HidesMissing() Option { return func(r *Route) { r.HidesMissing = true } }

// Group applies the same options (such as a tag) to each of routes.
func Group(routes []Route, options ...Option) []Route {
	for i := range routes {
		for _, o := range options {
			o(&routes[i])
		}
	}
	return routes
}

// Refuses documents errors that the operation returns: their statuses, with their messages as examples. Errors with a code are
// named by it in the document.
func Refuses(errs ...error) Option {
	return func(r *Route) {
		for _, err := range errs {
			p := NewProblem(err)
			r.refusals = append(r.refusals, p)
			r.Operation.Errors = append(r.Operation.Errors, p.status)
		}
	}
}

type alternative struct {
	description string
	example     any
}

// Answers documents a further status with the operation's usual body (an unhealthy health check).
func Answers(status int, description string) Option { return AnswersLike(status, description, nil) }

// AnswersLike is Answers with an example of that body.
func AnswersLike(status int, description string, example any) Option {
	return func(r *Route) {
		if r.alternatives == nil {
			r.alternatives = map[int]alternative{}
		}
		r.alternatives[status] = alternative{description, example}
	}
}
