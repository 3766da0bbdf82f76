package pages

import (
	"context"
	"time"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/auth"
	"gpatlas/platform/console"
)

// account shows who is signed in. If the address is not verified, the page has a form to request another mail.
func (p pages) account(ctx context.Context, r *console.Request) (console.View, error) {
	u, err := p.users.FindByID(ctx, auth.From(ctx).UserID)
	if err != nil {
		return console.View{}, err
	}
	if u == nil { // purged between the two look-ups
		return console.View{}, apperr.New(apperr.KindUnauthenticated, "Sign in again")
	}
	v := console.View{Title: "Your account", Body: accountBody, Data: summary(u, p.clock.Now()), Notice: notices[r.Value("notice")], Wide: true}
	if u.EmailVerifiedAt == nil {
		v.Form = &console.Form{Action: resendPath, Submit: "Send the email again"}
	}
	return v, nil
}

// facts are what the page shows about an account.
type facts struct {
	user.Record

	Plan, Limits, Since string
}

const day = "2 January 2006"

func summary(u *user.User, now time.Time) facts {
	plan := plans[auth.PlanNow(u.SubscriptionPlan, u.TrialEndsAt, now)]
	if u.TrialEndsAt != nil && u.TrialEndsAt.After(now) {
		plan = "Free trial of " + plan + " until " + u.TrialEndsAt.UTC().Format(day)
	}
	return facts{Record: u.Record(now), Plan: plan, Limits: tiers[u.APITier], Since: u.CreatedAt.UTC().Format(day)}
}

var (
	plans = map[string]string{auth.PlanFree: "Free", auth.PlanStarter: "Starter", auth.PlanPro: "Pro", auth.PlanEnterprise: "Enterprise"}
	tiers = map[string]string{auth.TierStarter: "Starter", auth.TierGrowth: "Growth", auth.TierScale: "Scale"}
)
