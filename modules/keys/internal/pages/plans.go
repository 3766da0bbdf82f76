package pages

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"gpatlas/modules/keys/internal/limit"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/console"
	templates "gpatlas/templates/console"
)

var plansBody = templates.Parse(files, "plans.html")

// row is a tier as the page shows it.
type row struct{ Name, Cost, Burst, Minute, Day string }

// plan is a paid plan as the page shows it.
type plan struct{ Name, Cost string }

// content is what the page shows.
type content struct {
	Free  string // calls of the free plan
	Plans []plan
	Tiers []row
	Sold  []charge.Listed
	Edu   bool
}

// plans is the page about plans and API tiers; mails about the free trial link to it.
func plans(prices *charge.List, offers charge.Offers) []console.Page {
	shown := content{Free: number(charge.FreeCalls), Edu: offers.EduDiscount}
	for _, name := range auth.Plans[1:] {
		shown.Plans = append(shown.Plans, plan{titled(name), cost(offers, "plan:"+name)})
	}
	for _, t := range limit.Tiers() {
		shown.Tiers = append(shown.Tiers, row{titled(t.Name), cost(offers, "tier:"+t.Name), number(t.Burst), number(t.Minute), number(t.Day)})
	}
	return []console.Page{{Method: http.MethodGet, Path: "/plans", Load: func(context.Context, *console.Request) (console.View, error) {
		now := shown
		now.Sold = prices.Rows()
		return console.View{Title: "Plans and limits", Body: plansBody, Data: now}, nil
	}}}
}

func titled(name string) string { return strings.ToUpper(name[:1]) + name[1:] }

// cost is the monthly price of a plan or an API tier, if the operator states it. Every account has the lowest tier.
func cost(offers charge.Offers, name string) string {
	if name == "tier:"+auth.TierStarter {
		return "free"
	}
	return cmp.Or(offers.Monthly[name], "not stated")
}

// number writes 12345 as 12,345; 0 is no limit.
func number(n int64) string {
	if n == 0 {
		return "unlimited"
	}
	return console.Count(n)
}
