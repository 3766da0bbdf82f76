package billing

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"log/slog"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"gpatlas/modules/billing/internal/ledger"
	"gpatlas/platform/apperr"
	"gpatlas/platform/charge"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/httpapi"
	"gpatlas/platform/plaintext"
)

// WithDatabase runs work on the service's database: the configured one, or the private one of a data folder (empty = the
// default folder). name is its host and name, or the data folder.
type WithDatabase func(ctx context.Context, dataDir string, work func(db *database.DB, name string) error) error

// Command is `gpatlas billing`. with opens the database, and check wraps the argument checks as the program's others.
func Command(with WithDatabase, clk clock.Clock, check func(cobra.PositionalArgs) cobra.PositionalArgs) *cobra.Command {
	var dataDir string
	cmd := &cobra.Command{
		Use:   "billing",
		Short: "Verify the ledger, print statements, adjust charges",
		Long: "Verify the ledger, print an account's statement of a month, or adjust what an account was charged.\n" +
			"EMAIL may be the number of the account instead, which is how an account that was deleted is named.\n" +
			"Uses the database of DATABASE_URL, or else the private database of `gpatlas dev`, running or not.",
		Example: "  gpatlas billing verify\n  gpatlas billing statement ada@larkspur.example 2026-11\n" +
			"  gpatlas billing adjust -- ada@larkspur.example -0.50 \"charged twice on 3 November\"",
		Args: check(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&dataDir, "data-dir", "", "data folder of gpatlas dev, running or not (default: the one that gpatlas dev uses)")
	add := func(use, short, long string, args int, run func(ctx context.Context, b *ledger.Books, args []string, out io.Writer) error) {
		cmd.AddCommand(&cobra.Command{
			Use: use, Short: short, Long: long, Args: check(cobra.ExactArgs(args)),
			RunE: func(cmd *cobra.Command, args []string) error {
				return with(cmd.Context(), dataDir, func(db *database.DB, name string) error {
					books := ledger.NewBooks(db, clk, slog.New(slog.DiscardHandler), nil)
					if len(args) == 0 {
						args = []string{name}
					}
					return run(cmd.Context(), books, args, cmd.OutOrStdout())
				})
			},
		})
	}
	add("verify", "Compare the ledger with what accounts have spent and own",
		"Compare the ledger with what accounts have spent, what they own, and the receipts of repeated requests.\n"+
			"Prints each fault with its account and month. The exit code is 1 if there is one. Charges go on meanwhile.", 0, verify)
	add("statement EMAIL MONTH", "Print what an account was charged in a month, as CSV",
		"Print what an account was charged in a month (2026-11, in UTC) as CSV, one row a charge. The sum of the column amount is the\n"+
			"account's bill in dollars.", 2, statement)
	add("adjust EMAIL AMOUNT REASON", "Add a correction to the ledger",
		"Add a correction to the ledger of the current month. AMOUNT is in dollars; a negative one credits the account.\n"+
			"Rows of the ledger are never changed or removed. Put -- before EMAIL if AMOUNT is negative.", 3, adjust)
	return cmd
}

// verify prints the faults of the database given as its only argument.
func verify(ctx context.Context, b *ledger.Books, args []string, out io.Writer) error {
	faults, err := b.Verify(ctx)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(out, "database: "+args[0]); err != nil {
		return err
	}
	for _, f := range faults {
		month := "no month"
		if f.Period != nil {
			month = f.Period.Format("2006-01")
		}
		if _, err := fmt.Fprintf(out, "account %d, %s: %s\n", f.UserID, month, f.Fault); err != nil {
			return err
		}
	}
	if len(faults) > 0 {
		return fmt.Errorf("faults in the ledger: %d", len(faults))
	}
	_, err = fmt.Fprintln(out, "the ledger has no faults")
	return err
}

// find returns the number of the account that an argument names.
func find(ctx context.Context, b *ledger.Books, name string) (int64, error) {
	name = strings.TrimSpace(name)
	if id, err := strconv.ParseInt(name, 10, 64); err == nil {
		known, err := b.Known(ctx, id)
		if err == nil && (!known || strconv.FormatInt(id, 10) != name) {
			err = apperr.NotFound("There is no account with the number %s", name)
		}
		return id, err
	}
	id, found, err := b.Find(ctx, name)
	if err == nil && !found {
		err = apperr.NotFound("There is no account with the email address %s", name)
	}
	return id, err
}

func statement(ctx context.Context, b *ledger.Books, args []string, out io.Writer) error {
	month, err := time.Parse("2006-01", args[1])
	if err != nil {
		return apperr.Invalid(apperr.FieldError{Field: "MONTH", Message: "must look like 2026-11"})
	}
	id, err := find(ctx, b, args[0])
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	_ = w.Write([]string{"id", "at", "operation", "subject", "crd", "product", "quantity", "unit_price", "amount", "mode", "key_id", "request_id", "reason"})
	err = b.Statement(ctx, id, month, func(l *ledger.Line) error {
		return w.Write([]string{
			strconv.FormatInt(l.ID, 10), httpapi.FormatInstant(l.At), l.Operation, plaintext.Cell(l.Subject), l.CRD, l.Product, strconv.Itoa(l.Quantity),
			charge.Dollars(l.UnitMicros), charge.Dollars(l.AmountMicros), l.Mode, l.KeyID, plaintext.Cell(l.RequestID), plaintext.Cell(l.Reason),
		})
	})
	if err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

var dollars = regexp.MustCompile(`^(-?)([0-9]{1,7})(?:\.([0-9]{1,6}))?$`)

// micros reads an amount in dollars by its digits.
func micros(text string) (int64, error) {
	parts := dollars.FindStringSubmatch(text)
	if parts == nil {
		return 0, apperr.Invalid(apperr.FieldError{Field: "AMOUNT", Message: "must be a number of dollars with at most six decimals, such as -0.50"})
	}
	n, err := strconv.ParseInt(parts[1]+parts[2]+parts[3]+strings.Repeat("0", 6-len(parts[3])), 10, 64)
	return n, err
}

func adjust(ctx context.Context, b *ledger.Books, args []string, out io.Writer) error {
	amount, err := micros(args[1])
	if err != nil {
		return err
	}
	id, err := find(ctx, b, args[0])
	if err != nil {
		return err
	}
	number, spent, err := b.Adjust(ctx, id, amount, strings.TrimSpace(args[2]))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "charge %d of %s for account %d; %s are spent this month\n", number, signed(amount), id, signed(spent))
	return err
}

// signed writes an amount with its sign before the dollar sign: "-$0.50".
func signed(micros int64) string {
	if text, negative := strings.CutPrefix(charge.Dollars(micros), "-"); negative {
		return "-$" + text
	}
	return "$" + charge.Dollars(micros)
}
