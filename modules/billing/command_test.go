package billing_test

import (
	"bytes"
	"context"
	"log/slog"
	"testing"

	"github.com/spf13/cobra"
	"github.com/stretchr/testify/require"

	"gpatlas/modules/billing"
	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/auth"
	"gpatlas/platform/charge"
	"gpatlas/platform/database"
	"gpatlas/platform/testkit/clocktest"
	"gpatlas/platform/testkit/dbtest"
)

// A bill is printed, corrected and verified on the command line.
func TestCommand(t *testing.T) {
	t.Parallel()
	db, clk := dbtest.New(t), clocktest.At("2026-11-22T12:00:00.250000Z")
	exec := func(statement string) { require.NoError(t, db.From(t.Context()).Exec(statement).Error) }
	exec(`INSERT INTO accounts.users (id, email, email_key, full_name, password_hash, tier, subscription_plan, api_tier, created_at, updated_at)
		OVERRIDING SYSTEM VALUE VALUES (7, 'Ada@larkspur.example', 'ada@larkspur.example', 'Ada', '', 'student', 'free', 'starter', now(), now())`)
	run := func(want string, args ...string) string {
		var out bytes.Buffer
		cmd := billing.Command(func(_ context.Context, dataDir string, work func(db *database.DB, name string) error) error {
			require.Equal(t, "d", dataDir)
			return work(db, "127.0.0.1/gpatlas")
		}, clk, func(check cobra.PositionalArgs) cobra.PositionalArgs { return check })
		cmd.SilenceErrors, cmd.SilenceUsage = true, true
		cmd.SetOut(&out)
		cmd.SetArgs(append([]string{"--data-dir", "d"}, args...))
		if err := cmd.ExecuteContext(t.Context()); want == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, want)
		}
		return out.String()
	}
	const header = "id,at,operation,subject,crd,product,quantity,unit_price,amount,mode,key_id,request_id,reason\n"
	require.Equal(t, "database: 127.0.0.1/gpatlas\nthe ledger has no faults\n", run("", "verify"))
	require.Equal(t, header, run("", "statement", "ada@LARKSPUR.example", "2026-11"))

	meter := ledger.NewMeter(db, clk, slog.New(slog.DiscardHandler), ledger.Rules{}, ledger.Hooks{})
	ctx := auth.With(t.Context(), &auth.Principal{Kind: auth.Key, UserID: 7, KeyID: "1f0e8a65-90b1-4d5c-9b53-5f7b1b0c9d21", Mode: "live"})
	_, err := meter.Charge(ctx, charge.Item{
		Operation: "get-gp-team", Subject: "=HYPERLINK(1)", CRD: "900001", Product: "roster", Units: []string{"p1", "p2"}, Per: charge.PerPerson, UnitMicros: 500_000, RequestID: "req-1",
	})
	require.NoError(t, err)
	require.Equal(t, "charge 2 of -$0.0025 for account 7; $0.9975 are spent this month\n", run("", "adjust", "--", "ada@larkspur.example", "-0.0025", " charged twice, by mistake "))
	require.Equal(t, "charge 3 of $12.50 for account 7; $13.4975 are spent this month\n", run("", "adjust", "7", "12.5", "late"))
	require.Equal(t, header+
		"1,2026-11-22T12:00:00.250000Z,get-gp-team,'=HYPERLINK(1),900001,roster,2,0.50,1.00,live,1f0e8a65-90b1-4d5c-9b53-5f7b1b0c9d21,req-1,\n"+
		"2,2026-11-22T12:00:00.250000Z,adjustment,,,,1,-0.0025,-0.0025,live,,gpatlas billing adjust,\"charged twice, by mistake\"\n"+
		"3,2026-11-22T12:00:00.250000Z,adjustment,,,,1,12.50,12.50,live,,gpatlas billing adjust,late\n", run("", "statement", "7", "2026-11"))
	require.Equal(t, header, run("", "statement", "7", "2026-10"))
	for _, nobody := range []string{"8", "07", "+7", "0", "9223372036854775807"} { // whoever registers next would owe it
		run("no account with the number "+nobody, "adjust", nobody, "1", "late")
	}

	for _, bad := range []string{"", "0", "0.0000001", "1e3", "NaN", "+1", ".5", "1.", "12345678", "1000001", "$1"} {
		run("Invalid AMOUNT", "adjust", "7", bad, "x")
	}
	run("Invalid REASON", "adjust", "7", "1", "  ")
	run("Invalid REASON", "adjust", "7", "1", "charged\u202e twice")
	run("Invalid MONTH", "statement", "7", "2026-13")
	run("no account with the email address nobody@larkspur.example", "statement", "nobody@larkspur.example", "2026-11")
	run("no account with the email address nobody@larkspur.example", "adjust", "nobody@larkspur.example", "1", "x")
	require.Equal(t, "database: 127.0.0.1/gpatlas\nthe ledger has no faults\n", run("", "verify"))
	exec("UPDATE billing.accounts SET spent_micros = 0")
	require.Equal(t, "database: 127.0.0.1/gpatlas\naccount 7, 2026-11: 0 micro-dollars are spent, and the ledger says 13497500\n", run("faults in the ledger: 1", "verify"))
	db.Close()
	for _, args := range [][]string{{"verify"}, {"statement", "ada@larkspur.example", "2026-11"}, {"statement", "7", "2026-11"}, {"adjust", "7", "1", "x"}} {
		run("unavailable", args...)
	}
}
