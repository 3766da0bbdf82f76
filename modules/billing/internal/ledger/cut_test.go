package ledger_test

import (
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/cutproxy"
	"gpatlas/platform/testkit/dbtest"
)

// held is all that a charge writes, as the account sees it.
type held struct{ Charges, Quantity, Amount, Spent, Entitlements, Paid, Executions, Alerts int64 }

const heldSQL = `SELECT
	(SELECT count(*) FROM billing.charges WHERE user_id = @user) AS charges,
	(SELECT coalesce(sum(quantity), 0)::bigint FROM billing.charges WHERE user_id = @user) AS quantity,
	(SELECT coalesce(sum(amount_micros), 0)::bigint FROM billing.charges WHERE user_id = @user) AS amount,
	(SELECT coalesce(sum(spent_micros), 0)::bigint FROM billing.accounts WHERE user_id = @user) AS spent,
	(SELECT count(*) FROM billing.entitlements WHERE user_id = @user) AS entitlements,
	(SELECT coalesce(sum(amount_micros), 0)::bigint FROM billing.entitlements WHERE user_id = @user) AS paid,
	(SELECT count(*) FROM billing.executions WHERE user_id = @user) AS executions,
	(SELECT count(*) FROM billing.alerts WHERE user_id = @user) AS alerts`

func (b *bench) held(userID int64) held {
	b.tb.Helper()
	rows, err := database.Select[held](b.tb.Context(), b.db, "", heldSQL, database.Args{"user": userID})
	require.NoError(b.tb, err)
	return rows[0]
}

// The connection is lost after each message of a charge in turn. What is left is everything or nothing; whoever gets a receipt was
// charged; and an execution that is charged again is charged once. An account that is new, and one that has a row.
func TestCutCharges(t *testing.T) {
	t.Parallel()
	keyed, unlock := fee(), team("p1", "p2", "p3")
	unlock.Unlock = true
	keyedUnlock := unlock
	for name, test := range map[string]struct {
		item  charge.Item
		keyed bool
		want  held
	}{
		"fee":          {fee(), false, held{Charges: 1, Quantity: 1, Amount: half, Spent: half}},
		"keyed fee":    {keyed, true, held{Charges: 1, Quantity: 1, Amount: half, Spent: half, Executions: 1}},
		"unlock":       {unlock, false, held{Charges: 1, Quantity: 3, Amount: 3 * half, Spent: 3 * half, Entitlements: 3, Paid: 3 * half}},
		"keyed unlock": {keyedUnlock, true, held{Charges: 1, Quantity: 3, Amount: 3 * half, Spent: 3 * half, Entitlements: 3, Paid: 3 * half, Executions: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			proxy := cutproxy.New(t, dbtest.URL(t, b.db))
			charged := func(account int64) held {
				now := b.held(account)
				now.Alerts = min(now.Alerts, 1)
				return now
			}
			var unheard, cuts int
			for _, known := range []bool{true, false} {
				for k, whole := 1, false; !whole; k++ {
					account, item := b.Account(), test.item
					want, none := test.want, held{}
					if known {
						b.SetCap(account, new(want.Amount)) // its thresholds are reached
						want.Alerts = 1
					}
					if test.keyed {
						item.Execution = fmt.Sprintf("00000000-0000-4000-8000-%012d", account)
					}
					db := b.open(func(c *database.Config) { c.URL, c.MaxConns = proxy.URL(), 1 })
					m := ledger.NewMeter(db, clocktest.At(start), slog.New(slog.DiscardHandler), ledger.Rules{}, ledger.Hooks{})
					ctx := as(t.Context(), account, "live")
					proxy.Arm(cutproxy.Cut{After: k, AtOnce: k%2 == 0})
					receipt, err := m.Charge(ctx, item)
					_, cut := proxy.Disarm()
					again := test.keyed || len(item.Units) > 0
					atOnce := again && err != nil && k%2 == 0
					if atOnce { // the server may still be at work on it
						_, err := b.Charge(ctx, item)
						require.NoError(t, err)
						require.Equal(t, want, charged(account), "message %d: charged again at once", k)
					}
					proxy.Settle()
					now := charged(account)
					if err == nil {
						require.Equal(t, want.Amount, receipt.Micros)
						require.Equal(t, want, now, "message %d: a receipt", k)
						whole = !cut
					} else {
						require.True(t, cut, "message %d: %v", k, err)
						require.Contains(t, []held{none, want}, now, "message %d: all or nothing", k)
						cuts++
						if now == want && !atOnce {
							unheard++
						}
					}
					if again {
						_, err := b.Charge(ctx, item)
						require.NoError(t, err)
						require.Equal(t, want, charged(account), "message %d: charged again", k)
					}
					db.Close()
				}
			}
			require.Positive(t, unheard, "a commit whose answer was lost")
			t.Logf("%d messages, %d of whose losses were after the commit", cuts, unheard)
		})
	}
}
