package accounts

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"gpatlas/modules/accounts/internal/user"
	"gpatlas/platform/apperr"
	"gpatlas/platform/audit"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// Grant makes the account of an address an administrator's. changed is false if it was one already. There is no HTTP operation
// for this.
func Grant(ctx context.Context, db *database.DB, clk clock.Clock, email string) (changed bool, err error) {
	return setAdmin(ctx, db, clk, email, true)
}

// Revoke makes the account of an address an ordinary one again, from its next request on.
func Revoke(ctx context.Context, db *database.DB, clk clock.Clock, email string) (changed bool, err error) {
	return setAdmin(ctx, db, clk, email, false)
}

func setAdmin(ctx context.Context, db *database.DB, clk clock.Clock, email string, admin bool) (bool, error) {
	email = strings.TrimSpace(email) // as registration does
	if user.EmailFault(email) != "" {
		return false, apperr.Invalid(apperr.FieldError{Field: "email address", Message: user.EmailRule})
	}
	changed := false
	err := db.InTx(ctx, func(ctx context.Context) error {
		users := user.NewStore(db)
		found, did, err := users.SetAdmin(ctx, email, admin, clk.Now())
		if err == nil && !found {
			err = apperr.NotFound("There is no account with the email address %s; register it first", email)
		}
		if changed = did; err != nil || !did {
			return err
		}
		u, err := users.FindByEmail(ctx, email)
		if err != nil || u == nil {
			return err
		}
		action := "admin.revoke"
		if admin {
			action = "admin.grant"
		}
		return audit.New(db, clk).Write(ctx, audit.Change{Action: action, Subject: fmt.Sprintf("account %d", u.ID), Before: !admin, After: admin})
	})
	return changed && err == nil, err
}

// Named is how an account is shown to operators: its email address, or its number if it has been removed.
func Named(ctx context.Context, db *database.DB, id int64) (string, error) {
	u, err := user.NewStore(db).FindByID(ctx, id)
	if err != nil || u == nil {
		return fmt.Sprintf("account %d", id), err
	}
	return u.Email, nil
}

// WithDatabase runs work on the service's database: the configured one, or the private one of a data folder (empty = the
// default folder).
type WithDatabase func(ctx context.Context, dataDir string, work func(db *database.DB) error) error

// AdminCommand is `gpatlas admin`. with opens the database, and check wraps the argument checks as the program's others.
func AdminCommand(with WithDatabase, clk clock.Clock, check func(cobra.PositionalArgs) cobra.PositionalArgs) *cobra.Command {
	var dataDir string
	cmd := &cobra.Command{
		Use:   "admin",
		Short: "Grant or revoke administrator rights, and list changes by operators, findings of quality metrics and rejected rows",
		Long: "grant and revoke change the administrator rights of the account of an email address. There is no HTTP operation for that. The\n" +
			"account must be registered. The change takes effect with its next request. audit lists what operators changed, quality\n" +
			"the rows that a quality metric finds, and quarantine the rows that ingestions could not use.\n" +
			"Uses the database of DATABASE_URL, or else the private database of `gpatlas dev`, running or not.",
		Example: "  gpatlas admin grant ada@larkspur.example\n  gpatlas admin revoke ada@larkspur.example",
		Args:    check(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&dataDir, "data-dir", "", "data folder of gpatlas dev, running or not (default: the one that gpatlas dev uses)")
	add := func(use, short, done, already string, set func(context.Context, *database.DB, clock.Clock, string) (bool, error)) {
		cmd.AddCommand(&cobra.Command{
			Use: use + " EMAIL", Short: short, Args: check(cobra.ExactArgs(1)),
			RunE: func(cmd *cobra.Command, args []string) error {
				return with(cmd.Context(), dataDir, func(db *database.DB) error {
					changed, err := set(cmd.Context(), db, clk, args[0])
					if err != nil {
						return err
					}
					return writeOutcome(cmd.OutOrStdout(), args[0], changed, done, already)
				})
			},
		})
	}
	add("grant", "Grant administrator rights to an account", "is an administrator now", "was an administrator already", Grant)
	add("revoke", "Revoke the administrator rights of an account", "is no longer an administrator", "was not an administrator", Revoke)
	return cmd
}

func writeOutcome(out io.Writer, email string, changed bool, done, already string) error {
	text := already
	if changed {
		text = done
	}
	_, err := fmt.Fprintf(out, "%s %s\n", email, text)
	return err
}
