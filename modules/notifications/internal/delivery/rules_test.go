package delivery_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/accounts/accountsapi"
	"gpatlas/modules/notifications/internal/kind"
	"gpatlas/modules/notifications/internal/preference"
	"gpatlas/modules/notifications/internal/queue"
	"gpatlas/modules/notifications/internal/render"
	"gpatlas/modules/notifications/internal/testkit/deliverytest"
	"gpatlas/platform/testkit/dbtest"
	"gpatlas/platform/testkit/mailtest"
	"gpatlas/templates/email"
)

// Guarantee: after "unsubscribe from all", only mails of category account in the table are sent. Before, all are, and those
// that can be refused have an unsubscribe link.
func TestAfterAll(t *testing.T) {
	t.Parallel()
	capture := mailtest.NewCapture()
	b := deliverytest.New(t, dbtest.New(t), capture)
	billing := preference.NewWishes(b.DB, b.Preferences, b.Tokens)
	const before, after = 1, 2
	require.NoError(t, b.Preferences.Refuse(t.Context(), after, preference.All))
	b.Kinds["notice"] = kind.Kind{ID: "notice", Category: kind.Product, Enabled: true}
	builtIn := map[string]string{"notice": kind.Product}
	for _, k := range kind.BuiltIn() {
		builtIn[k.ID] = k.Category
	}
	gone := map[int64][]string{}
	var cannotBeRefused []string // docs/notifications.md has their names, and a test holds it to the table
	for _, rule := range email.Rules() {
		if rule.Category == kind.Account {
			cannotBeRefused = append(cannotBeRefused, rule.Name)
		}
		category, queued := builtIn[rule.Name]
		if rule.Category != "" && queued {
			require.Equal(t, rule.Category, category, "the kind has another category than the mail: %s", rule.Name)
		}
		for userID := int64(before); userID <= after; userID++ {
			switch {
			case queued:
				b.Parts.Renderers[rule.Name] = func(_ context.Context, _ accountsapi.Account, _ json.RawMessage, links render.Links) (email.Content, bool, error) {
					content, err := email.Examples(string(deliverytest.Base), links.Unsubscribe)[rule.Name].Content()
					require.Equal(t, rule.Category, content.Category)
					return content, true, err
				}
				capture.Reset()
				_, err := b.Queue.Add(t.Context(), queue.Item{Kind: rule.Name, UserID: userID, Key: rule.Name + deliverytest.Account(userID).Email, Data: struct{}{}})
				require.NoError(t, err)
				b.Process(t)
				for _, m := range capture.Messages() {
					gone[userID] = append(gone[userID], rule.Name)
					require.Equal(t, rule.Category != kind.Account, m.UnsubscribeURL != "", rule.Name)
				}
			case rule.Category == email.CategoryBilling: // module billing asks before it sends
				stop, wanted, err := billing.Billing(t.Context(), userID)
				require.NoError(t, err)
				require.NotEmpty(t, stop)
				if wanted {
					gone[userID] = append(gone[userID], rule.Name)
				}
			default: // the mailers of accounts and billing send nothing else without asking
				require.Equal(t, email.CategoryAccount, rule.Category, rule.Name)
				gone[userID] = append(gone[userID], rule.Name)
			}
		}
	}
	require.Len(t, gone[before], len(email.Rules()))
	require.Equal(t, cannotBeRefused, gone[after])

	names, err := billing.Managers(t.Context(), []string{"900001"})
	require.NoError(t, err)
	require.Empty(t, names, "the catalog is empty")
}

// The table has every mail that has templates, once.
func TestRulesAreOfAllMails(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, rule := range email.Rules() {
		require.False(t, seen[rule.Name], rule.Name)
		seen[rule.Name] = true
		m := email.Examples(string(deliverytest.Base), "")[rule.Name]
		require.NotNil(t, m, rule.Name)
		content, err := m.Content()
		require.NoError(t, err)
		require.Equal(t, rule.Category, content.Category)
	}
	require.Len(t, seen, len(email.Examples(string(deliverytest.Base), "")))
}
