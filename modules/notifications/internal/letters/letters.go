// Package letters writes the mails of kinds that are not a slice of their own: about trials, and tests.
package letters

import (
	"context"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/templates/email"
)

// The pages that links lead to.
const (
	plansPath   = "/plans"
	accountPath = "/account"
)

// planFree is the plan after a trial.
const planFree = "free"

// At is the data of these kinds: when it happened, or will.
type At struct {
	At time.Time `json:"at"`
}

// Renderers write them.
func Renderers() render.Renderers {
	return render.Renderers{
		kind.TrialEnding: render.Typed(trialEnding),
		kind.TrialEnded:  render.Typed(trialEnded),
		kind.Test:        render.Typed(test),
	}
}

// Samples are invented data for them.
func Samples() render.Samples {
	at := func(now time.Time) any { return At{now} }
	return render.Samples{kind.TrialEnding: at, kind.TrialEnded: at, kind.Test: at}
}

// trialEnding has nothing to tell where the trial is over, or somebody has subscribed. The end is the one of today.
func trialEnding(_ context.Context, to accountsapi.Account, _ At, links render.Links) (render.Content, error) {
	if to.TrialEndsAt.IsZero() {
		return nil, nil
	}
	return email.TrialEnding{FullName: to.FullName, EndsAt: to.TrialEndsAt, PlansURL: links.Page(plansPath)}, nil
}

// trialEnded has nothing to tell to somebody who has subscribed meanwhile.
func trialEnded(_ context.Context, to accountsapi.Account, d At, links render.Links) (render.Content, error) {
	if to.SubscriptionPlan != planFree {
		return nil, nil
	}
	return email.TrialEnded{FullName: to.FullName, EndedAt: d.At, PlansURL: links.Page(plansPath)}, nil
}

func test(_ context.Context, to accountsapi.Account, d At, links render.Links) (render.Content, error) {
	return email.NotificationTest{
		FullName: to.FullName, Category: kind.Product, SentAt: d.At, URL: links.Page(accountPath), UnsubscribeURL: links.Unsubscribe,
	}, nil
}
