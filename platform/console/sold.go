package console

import (
	"context"
	"crypto/rand"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
)

// Sold is a page whose content is an operation with a price. Opening it shows the price, its button buys the content. If the browser
// loads the bought page again, nothing is charged.
type Sold struct {
	Path    string // "/gps/{crd}/related"
	Nav     string
	Title   string
	Section string
	Lead    string   // what is sold, in a sentence
	More    []Choice // pages like it
	Of      string   // the operation whose record the page is about: "get-gp"; "" is none
	// Operation is a GET operation; Fields are its parameters that a visitor can choose. One that is not Optional is needed before the price
	// can be shown.
	Operation string
	Fields    []Field
	// Choices sets the Options and first values of the fields that depend on the record; nil leaves them.
	Choices func(ctx context.Context, r *Request, fields []Field) error
	Fixed   url.Values // further parameters
	Body    *template.Template
	Tables  func(a *Answer) []Titled
}

// Titled is a table with a heading; "" is none.
type Titled struct {
	Title string
	*Table
}

// Offer is what the page of a Sold shows.
type Offer struct {
	Lead     string
	More     []Choice
	Subject  string // name of the record
	Back     string // path of its page
	Ask      Form   // the fields
	Action   string
	Sent     []Pair // the parameters again, for the button
	Price    *Price // nil until the needed fields have values
	Due      string // what the caller would pay: "$0.25"
	Key      string // identifies the purchase
	SignedIn bool
	Problem  string
	Bought   bool
	Charge   string
	Tables   []Titled
}

// The fields of the form that buys.
const (
	keyField  = "purchase"
	mostField = "price"
)

// reserved are parameters that the page sets itself.
var reserved = []string{keyField, mostField, "quote", "max_charge"}

// Pages are the page and its button.
func (s Sold) Pages() []Page {
	return []Page{
		{Method: http.MethodGet, Path: s.Path, Nav: s.Nav, Load: s.show},
		{Method: http.MethodPost, Path: s.Path, Access: SignedIn, Load: s.buy},
	}
}

// offer is the page before its price is known, and the parameters of the operation.
func (s Sold) offer(ctx context.Context, r *Request) (o *Offer, v View, values url.Values, err error) {
	o = &Offer{Lead: s.Lead, More: s.More, Ask: Form{Fields: slices.Clone(s.Fields)}, SignedIn: auth.From(ctx).UserID != 0}
	if s.Choices != nil {
		if err := s.Choices(ctx, r, o.Ask.Fields); err != nil {
			return nil, v, nil, err
		}
	}
	values = maps.Clone(r.Values)
	maps.DeleteFunc(values, func(name string, v []string) bool { return slices.Contains(reserved, name) || v[0] == "" })
	for i := range o.Ask.Fields {
		f := &o.Ask.Fields[i]
		if len(r.Values) == 0 && f.Value != "" {
			values.Set(f.Name, f.Value)
		}
		f.Value = values.Get(f.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		o.Sent = append(o.Sent, Pair{name, values.Get(name)})
	}
	subject := url.Values{}
	o.Action = Fill(s.Path, r.Parameters)
	for name, value := range r.Parameters {
		subject.Set(name, value)
	}
	maps.Copy(values, subject)
	maps.Copy(values, s.Fixed)
	v = View{Title: s.Title, Section: s.Section, Body: s.Body, Data: o, Wide: true}
	if s.Of == "" {
		return o, v, values, nil
	}
	of, err := r.API.Get(ctx, s.Of, subject)
	if err != nil {
		return nil, v, nil, err
	}
	o.Back = o.Action[:strings.LastIndex(o.Action, "/")]
	for _, member := range []string{"legal_name", "name"} {
		if name, ok := of.Record()[member].(string); ok {
			o.Subject, v.Title = name, s.Title+": "+name
			break
		}
	}
	return o, v, values, nil
}

// show shows what the content would cost.
func (s Sold) show(ctx context.Context, r *Request) (View, error) {
	o, v, values, err := s.offer(ctx, r)
	if err != nil || s.incomplete(values) {
		return v, err
	}
	err = s.price(ctx, r, o, values)
	return s.refused(o, v, err)
}

func (s Sold) incomplete(values url.Values) bool {
	return slices.ContainsFunc(s.Fields, func(f Field) bool { return !f.Optional && values.Get(f.Name) == "" })
}

func (s Sold) price(ctx context.Context, r *Request, o *Offer, values url.Values) (err error) {
	if o.Price, err = r.API.Price(ctx, s.Operation, values); err == nil {
		o.Due, o.Key = USD(o.Price.Amount), rand.Text()
	}
	return err
}

// buy shows the content.
func (s Sold) buy(ctx context.Context, r *Request) (View, error) {
	o, v, values, err := s.offer(ctx, r)
	if err != nil {
		return v, err
	}
	key, most := r.Value(keyField), r.Value(mostField)
	if key == "" || most == "" {
		return v, apperr.Invalid(apperr.FieldError{Field: mostField, Message: "is missing; open the page again"})
	}
	a, err := r.API.Buy(ctx, s.Operation, values, key, most)
	if err != nil {
		if refused, fault := s.refused(o, v, err); fault != nil {
			return refused, fault
		}
		_ = s.price(ctx, r, o, values) // without it there is no button
		if apperr.From(err).Kind == apperr.KindConflict {
			o.Key = key // the first click of a double click is being answered: the next one gets its response, and buys nothing more
		}
		return s.refused(o, v, err)
	}
	o.Bought, o.Charge, o.Tables, v.Answer = true, a.Charge, s.Tables(a), a
	return v, nil
}

// refused shows a refusal that a person can act on. Other errors are for the error page.
func (s Sold) refused(o *Offer, v View, err error) (View, error) {
	if err == nil {
		return v, nil
	}
	failure := apperr.From(err)
	switch failure.Kind {
	case apperr.KindInvalid, apperr.KindPaymentRequired, apperr.KindConflict, apperr.KindRateLimited, apperr.KindNotFound, apperr.KindForbidden, apperr.KindUnprocessable:
	default:
		return v, err
	}
	o.Problem, v.Failure = failure.Message, err
	for _, fault := range failure.Fields {
		if f := o.Ask.find(fault.Field); f != nil {
			f.Error = fault.Message
		}
	}
	return v, nil
}
