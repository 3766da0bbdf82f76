package ledger_test

import (
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"gpatlas/modules/billing/internal/account"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/testscale"
)

// model is an account by the words of the contract.
type model struct {
	period          time.Time
	spent, ever     int64
	cap             *int64
	backed          bool
	oneClick        bool
	oneClickMost    int64
	thresholds      []int16
	owned, receipts map[string]charge.Receipt // by product and unit, by execution
	alerts          map[string]bool           // by month and threshold
}

const unbackedLimit = 6_000_000

func (m *model) reset() {
	m.cap, m.backed, m.oneClick, m.oneClickMost, m.thresholds, m.alerts = nil, false, true, 25_000_000, []int16{80, 100}, map[string]bool{}
}

// changed stands for the refusal of an execution that delivers what was not paid for. It has no code.
const changed = "changed"

// charge gives the code of the refusal, "" for none.
func (m *model) charge(item charge.Item, now time.Time) (charge.Receipt, string) {
	if first, known := m.receipts[item.Execution]; known {
		if slices.ContainsFunc(item.Units, func(unit string) bool { return m.owned[item.Product+"/"+unit] == (charge.Receipt{}) }) {
			return charge.Receipt{}, changed
		}
		first.Earlier = true
		return first, ""
	}
	added := map[string]bool{}
	for _, unit := range item.Units {
		if key := item.Product + "/" + unit; m.owned[key] == (charge.Receipt{}) {
			added[key] = true
		}
	}
	micros := item.UnitMicros
	switch {
	case len(item.Units) > 0 && len(added) == 0:
		micros = 0
	case len(item.Units) > 0 && item.Per == charge.PerPerson && len(added) > 1 && item.BulkMicros > 0:
		micros = int64(len(added)) * item.BulkMicros
	case len(item.Units) > 0 && item.Per == charge.PerPerson:
		micros = int64(len(added)) * item.UnitMicros
	}
	period, spent := m.period, m.spent
	if month := account.Month(now); month.After(period) {
		period, spent = month, 0
	}
	switch {
	case item.MaxMicros != nil && micros > *item.MaxMicros:
		return charge.Receipt{}, charge.CodeMaxCharge
	case item.Unlock && !item.Confirmed && micros > 0 && (!m.oneClick || micros > m.oneClickMost):
		return charge.Receipt{}, charge.CodeConfirmation
	case micros > 0 && m.cap != nil && spent+micros > *m.cap:
		return charge.Receipt{}, charge.CodeSpendingCap
	case micros > 0 && !m.backed && spent+micros > unbackedLimit:
		return charge.Receipt{}, charge.CodeUnbacked
	}
	receipt := charge.Receipt{Micros: micros, NewUnits: len(added)}
	if item.Execution != "" {
		m.receipts[item.Execution] = receipt
	}
	if micros > 0 {
		m.period, m.spent, m.ever = period, spent+micros, m.ever+micros
		for _, t := range m.thresholds {
			if m.cap != nil && m.spent*100 >= *m.cap*int64(t) {
				m.alerts[fmt.Sprint(m.period.Format(time.DateOnly), " ", t)] = true
			}
		}
		if !m.backed && m.spent >= unbackedLimit {
			m.alerts[fmt.Sprint(m.period.Format(time.DateOnly), " ", account.UnbackedThreshold)] = true
		}
	}
	for key := range added {
		m.owned[key] = charge.Receipt{NewUnits: 1}
	}
	return receipt, ""
}

// drawn is a random request.
func drawn(t *rapid.T) charge.Item {
	item := fee()
	if rapid.Bool().Draw(t, "units") {
		item = team(rapid.SliceOfN(rapid.SampledFrom([]string{"p1", "p2", "p3", "p4", "p5"}), 1, 6).Draw(t, "persons")...)
		item.Product = rapid.SampledFrom([]string{"roster", "profile"}).Draw(t, "product")
		item.Unlock, item.Confirmed = rapid.Bool().Draw(t, "unlock"), rapid.Bool().Draw(t, "confirmed")
		switch rapid.IntRange(0, 2).Draw(t, "price") {
		case 0:
			item.UnitMicros, item.BulkMicros = 750_000, 600_000
		case 1:
			item.Per, item.UnitMicros = charge.PerRequest, 1_000_000
		}
	}
	if rapid.IntRange(0, 3).Draw(t, "bounded") == 0 {
		item.MaxMicros = new(rapid.Int64Range(0, 2_000_000).Draw(t, "max"))
	}
	return item
}

// Charges, caps, thresholds, months and purges in any order do what the model says, and leave a ledger without faults. One of
// the two meters has a clock that is three days behind.
func TestLedgerIsTheModel(t *testing.T) {
	t.Parallel()
	b := setup(t, func(r *ledger.Rules, _ *ledger.Hooks) { r.UnbackedMicros = new(int64(unbackedLimit)) })
	behind := clocktest.New(b.clock.Now().AddDate(0, 0, -3))
	slow := ledger.NewMeter(b.own, behind, slog.New(slog.DiscardHandler), ledger.Rules{CallersOnly: true, UnbackedMicros: new(int64(unbackedLimit))}, ledger.Hooks{})
	keyed := 0
	for range testscale.Rounds(t, 1) {
		rapid.Check(t, func(rt *rapid.T) {
			id := b.Account()
			m := &model{owned: map[string]charge.Receipt{}, receipts: map[string]charge.Receipt{}}
			m.reset()
			var executions []string
			for range rapid.IntRange(1, 25).Draw(rt, "steps") {
				step := rapid.IntRange(0, 9).Draw(rt, "step")
				if step <= 2 && m.period.IsZero() { // the row is made by the change
					m.period = account.Month(b.clock.Now())
				}
				switch step {
				case 0:
					m.cap = rapid.SampledFrom([]*int64{nil, new(int64(1_000_000)), new(int64(3_000_000)), new(int64(20_000_000))}).Draw(rt, "cap")
					b.SetCap(id, m.cap)
				case 1:
					m.thresholds = rapid.SampledFrom([][]int16{{}, {0}, {33, 50, 80, 100}}).Draw(rt, "thresholds")
					m.backed = rapid.Bool().Draw(rt, "backed")
					b.change(id, func(a *account.Account) { a.Thresholds, a.Backed = m.thresholds, m.backed })
				case 2:
					m.oneClick, m.oneClickMost = rapid.Bool().Draw(rt, "one-click"), 1_000_000
					b.SetOneClick(id, m.oneClick, m.oneClickMost)
				case 3:
					b.clock.Move(10 * 24 * time.Hour)
					behind.Move(10 * 24 * time.Hour)
				case 4:
					require.NoError(rt, b.books().AccountPurged(t.Context(), id))
					m.reset()
				default:
					item, meter, clk := drawn(rt), b.Meter, b.clock
					if rapid.Bool().Draw(rt, "behind") {
						meter, clk = slow, behind
					}
					if rapid.Bool().Draw(rt, "keyed") {
						keyed++
						executions = append(executions, fmt.Sprintf("0190a5b2-7c41-4d6e-9a3f-%012d", keyed))
						item.Execution = executions[len(executions)-1-rapid.IntRange(0, len(executions)-1).Draw(rt, "execution")]
					}
					want, code := m.charge(item, clk.Now())
					got, err := meter.Charge(as(t.Context(), id, rapid.SampledFrom([]string{"", "live"}).Draw(rt, "mode")), item)
					require.Equal(rt, want, got, "%+v", item)
					switch code {
					case "":
						require.NoError(rt, err)
					case changed:
						require.ErrorIs(rt, err, charge.ErrChanged)
					default:
						require.Error(rt, err)
						require.Equal(rt, code, apperr.From(err).Code)
					}
				}
				b.compare(rt, id, m)
			}
		})
	}
	b.verified()
}

// compare holds the tables against the model.
func (b *bench) compare(rt *rapid.T, id int64, m *model) {
	require.Equal(rt, m.ever, b.number("SELECT coalesce(sum(amount_micros), 0)::bigint FROM billing.charges WHERE user_id = @user", id), "the ledger")
	require.Equal(rt, m.spent, b.number("SELECT coalesce(sum(spent_micros) FILTER (WHERE spent_micros <> 0), 0)::bigint FROM billing.accounts WHERE user_id = @user", id), "spent")
	owned := append(prefixed("profile/", b.Owned(id, "profile")), prefixed("roster/", b.Owned(id, "roster"))...)
	require.Equal(rt, slices.Sorted(maps.Keys(m.owned)), slices.Sorted(slices.Values(owned)), "owned")
	alerts := list[string](b, "SELECT period || ' ' || threshold FROM billing.alerts WHERE user_id = @user", map[string]any{"user": id})
	require.Equal(rt, slices.Sorted(maps.Keys(m.alerts)), slices.Sorted(slices.Values(alerts)), "alerts")
	faults, err := b.books().Verify(b.tb.Context())
	require.NoError(rt, err)
	for _, f := range faults {
		require.NotEqual(rt, id, f.UserID, f.Fault)
	}
}

func prefixed(prefix string, list []string) []string {
	all := make([]string, len(list))
	for i, text := range list {
		all[i] = prefix + text
	}
	return all
}
