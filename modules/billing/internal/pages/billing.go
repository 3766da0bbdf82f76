// Package pages is the pages about what an account pays: its plan and cap, and its charges. They show what the operations return.
package pages

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"time"

	"gpatlas/platform/clock"
	"gpatlas/platform/console"
	"gpatlas/platform/module"
	templates "gpatlas/templates/console"
)

const (
	billingPath = "/account/billing"
	capPath     = "/account/billing/cap"
	chargesPath = "/account/charges"
)

// pages need the day for the projection of a month.
type pages struct{ clock clock.Clock }

// Part is the pages and panels.
func Part(clk clock.Clock) module.Part {
	p := pages{clk}
	billing := console.Page{Method: http.MethodGet, Path: billingPath, Access: console.SignedIn, Menu: "Billing", Order: 40, Load: p.billing}
	limit := console.Page{Method: http.MethodGet, Path: capPath, Access: console.SignedIn, Load: p.limit}
	return module.Part{
		Pages: slices.Concat(
			billing.With(
				console.Action{Path: billingPath + "/portal", Operation: "create-portal-session", Then: toPortal},
				console.Action{Path: billingPath + "/purchases", Operation: "update-preferences", Lead: billingPath + "?notice=saved"},
			),
			limit.With(
				console.Action{Path: capPath, Operation: "set-spending-cap", Body: capBody, Lead: billingPath + "?notice=saved"},
				console.Action{Path: capPath + "/alerts", Operation: "set-spending-alerts", Body: alertsBody, Lead: billingPath + "?notice=saved"},
			),
			charges(),
		),
		Panels: []console.Panel{{Page: "/account", Title: "Spending", Body: templates.FactsPanel, Load: func(ctx context.Context, r *console.Request) (any, error) {
			a, err := r.API.Get(ctx, "get-spending-cap", nil)
			if err != nil {
				return nil, err
			}
			return p.spending(a.Record()), nil
		}}},
	}
}

// spending are the facts about the month.
func (p pages) spending(status map[string]any) []console.Pair {
	facts := []console.Pair{{Name: "Spent this month", Value: console.USD(status["spent"])}}
	if status["limit"] == nil {
		facts = append(facts, console.Pair{Name: "Cap", Value: "none"})
	} else {
		name := map[any]string{"spending_cap": "Your cap", "unbacked_limit": "Limit without a subscription"}[status["limit_by"]]
		facts = append(facts, console.Pair{Name: name, Value: console.USD(status["limit"])}, console.Pair{Name: "Left", Value: console.USD(status["remaining"])})
	}
	if text := p.projection(status); text != "" {
		facts = append(facts, console.Pair{Name: "At this pace", Value: text})
	}
	return facts
}

// projection is what the month would cost if it went on as until now, from its second day on.
func (p pages) projection(status map[string]any) string {
	from, err := time.Parse(time.DateOnly, console.Plain(status["period_start"]))
	last, err2 := time.Parse(time.DateOnly, console.Plain(status["period_end"]))
	const day = 24 * time.Hour
	passed := p.clock.Now().Sub(from)
	if err != nil || err2 != nil || passed < day || passed > last.Add(day).Sub(from) {
		return ""
	}
	return console.USD(console.Float(status["spent"])*float64(last.Add(day).Sub(from))/float64(passed)) + " by " + console.Day(status["period_end"])
}

const atCap = "At the cap, requests with a price return 402 and cost nothing; free ones go on. Nothing is ever charged beyond it."

func (p pages) billing(ctx context.Context, r *console.Request) (console.View, error) {
	status, err := r.API.Get(ctx, "get-spending-cap", nil)
	if err != nil {
		return console.View{}, err
	}
	plan, err := r.API.Get(ctx, "get-subscription", nil)
	if err != nil {
		return console.View{}, err
	}
	wishes, err := r.API.Get(ctx, "get-preferences", nil)
	if err != nil {
		return console.View{}, err
	}
	alerts := "none"
	if list := thresholds(status.Record()); list != "" {
		alerts = "at " + strings.ReplaceAll(list, ", ", " %, ") + " % of the cap"
	}
	return console.View{
		Title: "Billing", Body: templates.Screen, Answer: status, Wide: true, Data: &console.Content{Sections: []console.Section{
			{
				Facts: append(p.spending(status.Record()), console.Pair{Name: "Emails", Value: alerts}), Text: atCap,
				Links: []console.Choice{{Text: "Change the cap and its emails", Link: capPath}, {Text: "Charges of this month", Link: chargesPath + "?month=" + console.Plain(status.Record()["period_start"])[:len("2006-01")]}},
			},
			{Title: "Plan", Facts: planFacts(plan.Record()), Links: []console.Choice{{Text: "Plans and prices", Link: "/plans"}}},
		}},
		Forms: []*console.Form{
			{
				Title: "Payment method and invoices", Text: "They are on a page of our payment processor.", Action: billingPath + "/portal", Submit: "Open that page",
			},
			purchaseForm(wishes.Record()),
		},
	}, nil
}

func planFacts(plan map[string]any) []console.Pair {
	facts := []console.Pair{
		{Name: "Plan", Value: console.Word(plan["plan"])},
		{Name: "API tier", Value: console.Word(plan["api_tier"])},
		{Name: "Subscription", Value: console.Or(console.Word, "none")(plan["status"])},
	}
	if period, ok := plan["billing_period"].(map[string]any); ok {
		text := console.Day(period["start"]) + " to " + console.Day(period["end"])
		if plan["cancel_at_period_end"] == true {
			text += "; the subscription then ends"
		}
		facts = append(facts, console.Pair{Name: "Billing period", Value: text})
	}
	return facts
}

func purchaseForm(wishes map[string]any) *console.Form {
	return &console.Form{
		Title: "Purchases of people", Action: billingPath + "/purchases", Submit: "Save", Fields: []console.Field{
			{Name: "one_click_enabled", Label: "Buy without asking again, up to this amount", Type: console.Checkbox, Value: console.Ticked(wishes["one_click_enabled"])},
			{Name: "one_click_threshold", Label: "Amount in dollars", Type: console.Number, Value: console.Plain(wishes["one_click_threshold"]), Hint: "5 to 500."},
		},
	}
}

// toPortal leads to the payment processor by a link: a form may not redirect to another site.
func toPortal(_ context.Context, _ *console.Request, a *console.Answer) (console.View, error) {
	return console.View{Title: "Payment method and invoices", Body: templates.Screen, Wide: true, Data: &console.Content{
		Lead:     "The page is that of our payment processor, and expires soon.",
		Sections: []console.Section{{Links: []console.Choice{{Text: "Go on to the payment processor", Link: console.Plain(a.Record()["portal_url"]), Outside: true}}}},
	}}, nil
}

func thresholds(status map[string]any) string {
	list, _ := status["thresholds"].([]any)
	texts := make([]string, len(list))
	for i, percent := range list {
		texts[i] = console.Plain(percent)
	}
	return strings.Join(texts, ", ")
}

func (pages) limit(ctx context.Context, r *console.Request) (console.View, error) {
	a, err := r.API.Get(ctx, "get-spending-cap", nil)
	if err != nil {
		return console.View{}, err
	}
	current := ""
	if a.Record()["cap"] != nil {
		current = console.Plain(a.Record()["cap"])
	}
	return console.View{
		Title: "Spending cap", Body: templates.Screen, Answer: a, Wide: true, Data: &console.Content{Lead: atCap},
		Forms: []*console.Form{
			{Title: "Cap", Action: capPath, Submit: "Save the cap", Fields: []console.Field{
				{Name: "cap", Label: "Dollars a month", Type: console.Number, Optional: true, Value: current, Hint: "At least 10. Empty: no cap. It counts from the next charge on; months are those of UTC."},
			}},
			{Title: "Emails", Action: capPath + "/alerts", Submit: "Save the emails", Fields: []console.Field{
				{Name: "thresholds", Label: "Percent of the cap", Type: console.Text, Optional: true, Value: thresholds(a.Record()), Hint: "We send an email when the charges of the month reach one of them, such as: 50, 80, 100. Empty: none."},
			}},
		},
	}, nil
}

func capBody(f *console.Form) any {
	if text := strings.TrimSpace(f.Value("cap")); text != "" {
		return map[string]any{"cap": console.NumberOrText(text)}
	}
	return map[string]any{"cap": nil}
}

func alertsBody(f *console.Form) any {
	list := []any{}
	for part := range strings.SplitSeq(f.Value("thresholds"), ",") {
		if part = strings.Trim(part, " %"); part != "" {
			list = append(list, console.NumberOrText(part))
		}
	}
	return map[string]any{"thresholds": list}
}
