package render

import (
	"strconv"
	"strings"
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

// SearchAlert is the data of kind.SearchAlert.
type SearchAlert struct {
	Searches []AlertedSearch `json:"searches"`
}

// AlertedSearch is the news of a saved search, or why its alert was paused.
type AlertedSearch struct {
	SearchID string      `json:"search_id"`
	Name     string      `json:"name"`
	Total    int64       `json:"total"`
	GPs      []AlertedGP `json:"gps"` // the first ones
	Fault    string      `json:"fault"`
}

// AlertedGP is one of the news.
type AlertedGP struct {
	CRD    string   `json:"crd"`
	Name   string   `json:"name"`
	What   string   `json:"what"` // entered, left or changed
	Fields []string `json:"fields"`
}

// Letters write the mails of kinds that are not a slice of their own: about trials, unknown prices, webhooks and saved searches, and tests.
func Letters() Renderers {
	return Renderers{
		kind.TrialEnding:  Typed(trialEnding),
		kind.TrialEnded:   Typed(trialEnded),
		kind.Test:         Typed(test),
		kind.UnknownPrice: Typed(unknownPrice),

		kind.WebhookDisabled: Typed(webhookDisabled),
		kind.SearchAlert:     Typed(searchAlert),
	}
}

// LetterSamples are invented data for Letters.
func LetterSamples() Samples {
	at := func(now time.Time) any { return At{now} }
	return Samples{kind.TrialEnding: at, kind.TrialEnded: at, kind.Test: at, kind.UnknownPrice: func(time.Time) any {
		return UnknownPrice{Price: "price_1Example", Subscription: "sub_1Example"}
	}, kind.WebhookDisabled: func(now time.Time) any {
		return WebhookDisabled{URL: "https://hooks.example.com/gpatlas", Why: "failing", Since: now.Add(-5 * 24 * time.Hour)}
	}, kind.SearchAlert: func(time.Time) any {
		return SearchAlert{[]AlertedSearch{{
			SearchID: "0190a5b2-7c41-4d6e-9a3f-1c2b3d4e5f60", Name: "Large buyout firms in Boston", Total: 12, GPs: []AlertedGP{
				{CRD: "900001", Name: "Harbor Ridge Capital Partners LLC", What: "entered"},
				{CRD: "900003", Name: "Thistle & Thorn Credit Advisors Ltd", What: "changed", Fields: []string{"total_aum", "employee_count"}},
			},
		}}}
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

// searchAlert has a paragraph for each search, with its news in one sentence each.
func searchAlert(to accountsapi.Account, d SearchAlert, links Links) email.Mail {
	subject, paragraphs := "News of your saved searches", []string{}
	for _, s := range d.Searches {
		if s.Fault != "" {
			subject = "The alert of a saved search is paused"
			paragraphs = append(paragraphs, "The filters of \u201c"+s.Name+"\u201d are no longer valid: "+s.Fault+". Correct the search and set its alert again.")
			continue
		}
		said := []string{}
		for _, g := range s.GPs {
			what := map[string]string{"entered": "is found now", "left": "is no longer found", "changed": "changed: " + strings.Join(g.Fields, ", ")}[g.What]
			said = append(said, g.Name+" (CRD "+g.CRD+") "+what+".")
		}
		if more := s.Total - int64(len(s.GPs)); more > 0 {
			said = append(said, "And "+strconv.FormatInt(more, 10)+" more.")
		}
		paragraphs = append(paragraphs, "\u201c"+s.Name+"\u201d: "+strings.Join(said, " "))
	}
	paragraphs = append(paragraphs, "GET /v1/me/searches/{search_id}/news lists all of them. PUT or DELETE /v1/me/searches/{search_id}/alert changes what you are told.")
	return email.NewNotice(to.FullName, subject, strings.Join(paragraphs, "\n\n"), links.Unsubscribe)
}
