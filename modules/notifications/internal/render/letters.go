package render

import (
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/platform/auth"
	"gpatlas/templates/email"
)

// The pages that links lead to.
const (
	plansPath   = "/plans"
	accountPath = "/account"
)

// At is the data of Letters: when it happened, or will.
type At struct {
	At time.Time `json:"at"`
}

// UnknownPrice is the data of kind.UnknownPrice: IDs of Stripe.
type UnknownPrice struct {
	Price        string `json:"price"`
	Subscription string `json:"subscription"`
}

// WebhookDisabled is the data of kind.WebhookDisabled.
type WebhookDisabled struct {
	URL   string    `json:"url"`
	Why   string    `json:"why"`   // gone or failing
	Since time.Time `json:"since"` // of the first failure
}

// Letters write the mails of kinds that are not a slice of their own: about trials, unknown prices and webhooks, and tests.
func Letters() Renderers {
	return Renderers{
		kind.TrialEnding:  Typed(trialEnding),
		kind.TrialEnded:   Typed(trialEnded),
		kind.Test:         Typed(test),
		kind.UnknownPrice: Typed(unknownPrice),

		kind.WebhookDisabled: Typed(webhookDisabled),
	}
}

// LetterSamples are invented data for Letters.
func LetterSamples() Samples {
	at := func(now time.Time) any { return At{now} }
	return Samples{kind.TrialEnding: at, kind.TrialEnded: at, kind.Test: at, kind.UnknownPrice: func(time.Time) any {
		return UnknownPrice{Price: "price_1Example", Subscription: "sub_1Example"}
	}, kind.WebhookDisabled: func(now time.Time) any {
		return WebhookDisabled{URL: "https://hooks.example.com/gpatlas", Why: "failing", Since: now.Add(-5 * 24 * time.Hour)}
	}}
}

// trialEnding is not written once the trial is over, or the account has subscribed. The end is the one of today.
func trialEnding(to accountsapi.Account, _ At, links Links) email.Mail {
	if to.TrialEndsAt.IsZero() {
		return nil
	}
	return email.TrialEnding{FullName: to.FullName, EndsAt: to.TrialEndsAt, PlansURL: links.Page(plansPath)}
}

// trialEnded is not written to accounts that have subscribed meanwhile.
func trialEnded(to accountsapi.Account, d At, links Links) email.Mail {
	if to.SubscriptionPlan != auth.PlanFree {
		return nil
	}
	return email.TrialEnded{FullName: to.FullName, EndedAt: d.At, PlansURL: links.Page(plansPath)}
}

func test(to accountsapi.Account, d At, links Links) email.Mail {
	return email.NotificationTest{
		FullName: to.FullName, Category: kind.Product, SentAt: d.At, URL: links.Page(accountPath), UnsubscribeURL: links.Unsubscribe,
	}
}

func unknownPrice(to accountsapi.Account, d UnknownPrice, links Links) email.Mail {
	return email.NewNotice(to.FullName, "Stripe has a price that GP Atlas does not know",
		"The subscription "+d.Subscription+" has the price "+d.Price+", which the setting BILLING_PRICES does not name. Its account keeps the plan that it had.\n\n"+
			"Add the price to BILLING_PRICES and restart the service. The log and the metric gpatlas_billing_unknown_prices_total show further cases; "+
			"administrators get this email at most once a day.", links.Unsubscribe)
}

func webhookDisabled(to accountsapi.Account, d WebhookDisabled, links Links) email.Mail {
	why := "every request has failed since " + d.Since.UTC().Format("2 January 2006 at 15:04") + " UTC"
	if d.Why == "gone" {
		why = "it answered 410 (Gone)"
	}
	return email.NewNotice(to.FullName, "A webhook endpoint is disabled",
		"GP Atlas no longer calls the webhook endpoint "+d.URL+": "+why+".\n\n"+
			"No event is lost. When the endpoint works again, send PATCH /v1/me/webhooks/{endpoint_id} with {\"state\":\"active\"}: it continues with the first event that was not sent. "+
			"GET /v1/me/webhooks/{endpoint_id}/messages shows what the endpoint answered.", links.Unsubscribe)
}
