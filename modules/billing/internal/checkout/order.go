package checkout

import (
	"net/url"
	"strings"

	"gpatlas/modules/billing/internal/price"
	"gpatlas/platform/apperr"
)

// The pages that Stripe's pages link back to.
const (
	accountPage = "/account"
	plansPage   = "/plans"
)

// choose finds the price of an order, which names exactly one product.
func (s *Service) choose(order Order) (price.Price, error) {
	sent := []apperr.FieldError{}
	for _, f := range []struct{ name, value string }{{"plan", order.Plan}, {"api_tier", order.APITier}, {"price", order.Price}} {
		if f.value != "" {
			sent = append(sent, apperr.FieldError{Field: f.name, Message: "is not for sale on this service"})
		}
	}
	const one = "send exactly one of plan, api_tier and price"
	switch len(sent) {
	case 0:
		return price.Price{}, apperr.Invalid(apperr.FieldError{Field: "plan", Message: one})
	case 1:
	default:
		return price.Price{}, apperr.Invalid(apperr.FieldError{Field: sent[1].Field, Message: one})
	}
	chosen, found := s.prices.Find(order.Price)
	if order.Price == "" {
		chosen, found = s.prices.For(price.Entitlement{Plan: order.Plan, APITier: order.APITier})
	}
	if !found {
		return price.Price{}, apperr.Invalid(sent[0])
	}
	return chosen, nil
}

// pages are the return URLs of an order's page. URLs of the caller must be on the host of the service's pages: checkout must
// not redirect people elsewhere.
func (s *Service) pages(order Order) (success, cancel string, err error) {
	var faults []apperr.FieldError
	pick := func(field, sent, usual string) string {
		if sent == "" {
			return s.url.Page(usual)
		}
		if !s.own(sent) {
			faults = append(faults, apperr.FieldError{Field: field, Message: "must be a URL that begins with " + s.origin() + "/"})
		}
		return sent
	}
	success = pick("success_url", order.SuccessURL, accountPage)
	cancel = pick("cancel_url", order.CancelURL, plansPage)
	if len(faults) > 0 {
		return "", "", apperr.Invalid(faults...)
	}
	return success, cancel, nil
}

// own reports whether a URL is on the host of the service's pages. What browsers parse differently from Go, such as a
// backslash, is rejected.
func (s *Service) own(text string) bool {
	base, err := url.Parse(string(s.url))
	if err != nil || strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r == '\\' || r >= 0x7f }) {
		return false
	}
	u, err := url.Parse(text)
	return err == nil && u.Scheme == base.Scheme && strings.EqualFold(u.Host, base.Host) && u.User == nil
}

func (s *Service) origin() string {
	base, err := url.Parse(string(s.url))
	if err != nil {
		return string(s.url)
	}
	return base.Scheme + "://" + base.Host
}
