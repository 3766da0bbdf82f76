package render

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/templates/email"
)

// Samples are invented data by kind, as the kinds' renderers take them.
type Samples map[string]func(now time.Time) any

// Sample writes a test of a kind. The texts are those of the real emails, the data is invented.
func (r Renderers) Sample(
	ctx context.Context, samples Samples, id string, to accountsapi.Account, now time.Time, links Links,
) (email.Content, error) {
	const trial = 3 * 24 * time.Hour
	write, invent := r[id], samples[id]
	if write == nil || invent == nil {
		return email.Content{}, fmt.Errorf("there is no sample of the email %q", id)
	}
	to.SubscriptionPlan, to.TrialEndsAt = "free", now.Add(trial) // some emails say nothing about other accounts
	data, err := json.Marshal(invent(now))
	if err != nil {
		return email.Content{}, err
	}
	content, something, err := write(ctx, to, data, links)
	if err == nil && !something {
		err = fmt.Errorf("the sample of the email %q is empty", id)
	}
	content.Subject = "[Test] " + content.Subject
	return content, err
}
