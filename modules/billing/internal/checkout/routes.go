package checkout

import (
	"context"
	"net/http"

	"gpatlas/modules/billing/internal/price"
	"gpatlas/modules/billing/internal/stripe"
	"gpatlas/platform/auth"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/module"
)

type (
	checkoutBody = httpapi.Data[Session]
	portalBody   = httpapi.Data[Portal]
)

// Part is what the slice provides.
func (s *Service) Part() module.Part { return module.Part{Routes: Routes(s)} }

// Routes are the operations that open Stripe's pages.
//
// Spec: no statuses are shown; both make a session at Stripe, so they answer 201.
func Routes(s *Service) []httpapi.Route {
	return httpapi.Group([]httpapi.Route{
		httpapi.Post("/v1/billing/checkout", "create-checkout-session", s.postCheckout,
			httpapi.Summary("Subscribe"), httpapi.Describe(checkoutText), httpapi.Refuses(errSubscribed(price.Entitlement{Plan: "pro"}), errDiscount)),
		httpapi.Post("/v1/billing/portal", "create-portal-session", s.postPortal,
			httpapi.Summary("Manage the subscription"), httpapi.Describe(portalText), httpapi.Refuses(errNoCustomer)),
	}, httpapi.Tag("Billing"), httpapi.Grant(httpapi.Login), httpapi.Success(http.StatusCreated),
		httpapi.Errors(http.StatusUnauthorized, http.StatusForbidden), httpapi.Refuses(stripe.ErrOff))
}

const checkoutText = `Creates a Stripe checkout session for a plan, an API tier or a price, and returns its page. The plan or the tier counts from when Stripe has told us of the payment, usually within seconds; ` + "`GET /v1/billing/subscription`" + ` shows it. Two calls within the same minute return the same session.

An account that has a subscription to a plan returns 409 if it asks for a plan, and the same is true of API tiers: open the portal to change it. If Stripe is not set up on this service, or cannot be reached, the response is 503.`

const portalText = `Creates a session of Stripe's customer portal and returns its page, on which people change or cancel their subscription, change their payment method, and find their invoices. An account that has never started a checkout returns 409. If Stripe is not set up on this service, or cannot be reached, the response is 503.`

// CheckoutInput is the body of a checkout.
type CheckoutInput struct {
	Body struct {
		Plan       string `json:"plan,omitempty" enum:"starter,pro,enterprise" doc:"Plan to subscribe to. Send exactly one of plan, api_tier and price." example:"pro"`
		APITier    string `json:"api_tier,omitempty" enum:"growth,scale" doc:"API tier to subscribe to."`
		Price      string `json:"price,omitempty" maxLength:"255" doc:"Stripe's ID of a price that this service sells, for a plan with several prices."`
		SuccessURL string `json:"success_url,omitempty" maxLength:"2000" doc:"URL on the host of this service that the page leads to after the payment. Default: the account page."`
		CancelURL  string `json:"cancel_url,omitempty" maxLength:"2000" doc:"URL on the host of this service that the page leads back to without a payment. Default: the page of plans."`
	}
}

// Portal is a session of the customer portal.
type Portal struct {
	PortalURL string `json:"portal_url" format:"uri" doc:"Page of Stripe. Open it in a browser soon: it expires." example:"https://billing.stripe.com/p/session/test_a1b2c3"`
}

// SchemaName is its name in the OpenAPI document.
func (Portal) SchemaName() string { return "PortalSession" }

func (s *Service) postCheckout(ctx context.Context, in *CheckoutInput) (*httpapi.Reply[checkoutBody], error) {
	session, err := s.Checkout(ctx, auth.From(ctx).UserID, Order(in.Body))
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[checkoutBody]{Body: checkoutBody{Data: *session}}, nil
}

func (s *Service) postPortal(ctx context.Context, _ *struct{}) (*httpapi.Reply[portalBody], error) {
	url, err := s.Portal(ctx, auth.From(ctx).UserID)
	if err != nil {
		return nil, err
	}
	return &httpapi.Reply[portalBody]{Body: portalBody{Data: Portal{PortalURL: url}}}, nil
}
