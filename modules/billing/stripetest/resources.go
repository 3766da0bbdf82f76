package stripetest

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// do executes a request.
func (s *Server) do(r *http.Request) (status int, body map[string]any) {
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/"), "/")
	kind, id := parts[0], ""
	if kind == "checkout" || kind == "billing_portal" {
		kind, parts = kind+"/"+parts[min(1, len(parts)-1)], parts[1:]
	}
	if len(parts) > 1 {
		id = parts[1]
	}
	form := r.Form
	switch r.Method + " " + kind {
	case "POST customers":
		c := &Customer{ID: s.id("cus"), Email: form.Get("email"), Metadata: meta(form, "metadata")}
		s.customers = append(s.customers, c)
		return s.ok(c)
	case "GET customers":
		return listOf(s, r, s.customers, id, func(c *Customer) bool { return c.ID == id || id == "" && c.Email == form.Get("email") })
	case "POST checkout/sessions":
		return s.checkout(form)
	case "GET checkout/sessions":
		return listOf(s, r, s.sessions, id, func(o *Session) bool { return o.ID == id || id == "" && o.Customer == form.Get("customer") })
	case "POST billing_portal/sessions":
		if !s.hasCustomer(form.Get("customer")) {
			return missing("customer", form.Get("customer"))
		}
		id := s.id("bps")
		return http.StatusOK, map[string]any{
			"id": id, "object": "billing_portal.session", "customer": form.Get("customer"), "return_url": form.Get("return_url"),
			"url": "https://billing.stripe.example/p/session/" + id, "livemode": false,
		}
	case "GET subscriptions":
		if customer := form.Get("customer"); id == "" && !s.hasCustomer(customer) {
			return missing("customer", customer)
		}
		return listOf(s, r, s.subscriptions, id, func(o *Subscription) bool {
			return o.ID == id || id == "" && o.Customer == form.Get("customer") && (o.Status != "canceled" || form.Get("status") == "all")
		})
	case "POST subscriptions", "DELETE subscriptions":
		return s.change(r, id)
	case "POST invoiceitems":
		if !s.hasCustomer(form.Get("customer")) {
			return missing("customer", form.Get("customer"))
		}
		cents, _ := strconv.ParseInt(form.Get("amount"), 10, 64)
		item := &InvoiceItem{
			ID: s.id("ii"), Customer: form.Get("customer"), AmountCents: cents, Currency: form.Get("currency"),
			Description: form.Get("description"), Metadata: meta(form, "metadata"),
		}
		s.items = append(s.items, item)
		return s.ok(item)
	case "GET invoiceitems":
		return listOf(s, r, s.items, id, func(o *InvoiceItem) bool { return o.ID == id || id == "" && o.Customer == form.Get("customer") })
	case "GET invoices":
		return listOf(s, r, s.invoices, id, func(o *Invoice) bool { return o.ID == id || id == "" && o.Customer == form.Get("customer") })
	}
	f := refused(http.StatusNotFound, "invalid_request_error", "", "", fmt.Sprintf("Unrecognized request URL (%s: %s)", r.Method, r.URL.Path))
	return f.status, f.body
}

func (s *Server) checkout(form url.Values) (status int, body map[string]any) {
	if !s.hasCustomer(form.Get("customer")) {
		return missing("customer", form.Get("customer"))
	}
	price := form.Get("line_items[0][price]")
	if strings.HasPrefix(price, "price_gone") {
		return missing("line_items[0][price]", price)
	}
	coupon := form.Get("discounts[0][coupon]")
	if strings.HasPrefix(coupon, "GONE") {
		return missing("discounts[0][coupon]", coupon)
	}
	o := &Session{
		ID: s.id("cs_test"), Customer: form.Get("customer"), ClientReferenceID: form.Get("client_reference_id"), Price: price, Coupon: coupon, Status: "open",
		PaymentStatus: "unpaid", SuccessURL: form.Get("success_url"), CancelURL: form.Get("cancel_url"),
		Metadata: meta(form, "metadata"), SubscriptionMetadata: meta(form, "subscription_data[metadata]"),
	}
	s.sessions = append(s.sessions, o)
	return s.ok(o)
}

func (s *Server) change(r *http.Request, id string) (status int, body map[string]any) {
	for _, o := range s.subscriptions {
		if o.ID != id || o.Status == "canceled" {
			continue
		}
		if r.Method == http.MethodDelete {
			o.Status = "canceled"
		}
		if sent := r.Form.Get("cancel_at_period_end"); sent != "" {
			o.CancelAtPeriodEnd = sent == "true"
		}
		if price := r.Form.Get("items[0][price]"); price != "" {
			o.Prices = []string{price}
		}
		return s.ok(o)
	}
	return missing("id", id)
}

// Complete pays an open checkout session: its subscription begins.
func (s *Server) Complete(sessionID string) (*Session, *Subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.sessions {
		if o.ID == sessionID && o.Status == "open" {
			now := s.clock.Now().UTC().Truncate(time.Second)
			sub := &Subscription{
				ID: s.id("sub"), Customer: o.Customer, Status: "active", Prices: []string{o.Price}, Start: now, End: now.AddDate(0, 1, 0),
				Metadata: maps.Clone(o.SubscriptionMetadata),
			}
			s.subscriptions = append(s.subscriptions, sub)
			o.Status, o.PaymentStatus, o.Subscription = "complete", "paid", sub.ID
			session, begun := *o, *sub
			return &session, &begun
		}
	}
	panic("stripetest: no open session " + sessionID)
}

// AddSubscription adds a subscription that no checkout made.
func (s *Server) AddSubscription(o Subscription) {
	s.locked(func() { s.subscriptions = append(s.subscriptions, &o) })
}

// AddInvoice puts an invoice there.
func (s *Server) AddInvoice(o Invoice) { s.locked(func() { s.invoices = append(s.invoices, &o) }) }

// RemoveCustomer removes a customer, as is possible in Stripe's dashboard.
func (s *Server) RemoveCustomer(id string) {
	s.locked(func() {
		for i, c := range s.customers {
			if c.ID == id {
				s.customers = append(s.customers[:i:i], s.customers[i+1:]...)
				return
			}
		}
	})
}

// Customers are the customers there are.
func (s *Server) Customers() (all []Customer) { return copies(s, &s.customers) }

// Sessions are the checkout sessions.
func (s *Server) Sessions() []Session { return copies(s, &s.sessions) }

// Subscriptions are the subscriptions, those that have ended included.
func (s *Server) Subscriptions() []Subscription { return copies(s, &s.subscriptions) }

// InvoiceItems are the invoice items.
func (s *Server) InvoiceItems() []InvoiceItem { return copies(s, &s.items) }

func copies[T any](s *Server, from *[]*T) (all []T) {
	s.locked(func() {
		for _, o := range *from {
			all = append(all, *o)
		}
	})
	return all
}

func (s *Server) locked(do func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	do()
}

func (s *Server) id(prefix string) string {
	s.last++
	return fmt.Sprintf("%s_%d", prefix, s.last)
}

func (s *Server) ok(o Object) (status int, body map[string]any) {
	return http.StatusOK, o.JSON(s.shape)
}

func (s *Server) hasCustomer(id string) bool {
	for _, c := range s.customers {
		if c.ID == id {
			return true
		}
	}
	return false
}

// listOf answers with one object, or with a page of a list: Stripe's lists have the newest first.
func listOf[T any, O interface {
	*T
	Object
}](s *Server, r *http.Request, all []O, id string, wanted func(O) bool) (status int, body map[string]any) {
	var found []O
	for _, o := range slices.Backward(all) {
		if wanted(o) {
			found = append(found, o)
		}
	}
	if id != "" {
		if len(found) == 0 {
			return missing("id", id)
		}
		return s.ok(found[0])
	}
	limit, err := strconv.Atoi(r.Form.Get("limit"))
	if err != nil {
		limit = 10
	}
	from := 0
	for i, o := range found {
		if after := r.Form.Get("starting_after"); after != "" && o.JSON(s.shape)["id"] == after {
			from = i + 1
		}
	}
	page := []any{}
	for _, o := range found[from:min(from+limit, len(found))] {
		page = append(page, o.JSON(s.shape))
	}
	answer := list(r.URL.Path, page)
	answer["has_more"] = from+limit < len(found)
	return http.StatusOK, answer
}

func missing(param, id string) (status int, body map[string]any) {
	f := refused(http.StatusNotFound, "invalid_request_error", "resource_missing", param, "No such "+param+": '"+id+"'")
	return f.status, f.body
}

// meta reads metadata[account]=7.
func meta(form url.Values, name string) map[string]string {
	found := map[string]string{}
	for key, values := range form {
		if rest, ok := strings.CutPrefix(key, name+"["); ok && strings.HasSuffix(rest, "]") {
			found[strings.TrimSuffix(rest, "]")] = values[0]
		}
	}
	return found
}
