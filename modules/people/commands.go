package people

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/hiring"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
	"gpatlas/platform/jobs"
	"gpatlas/platform/overrides"
)

// WithDatabase runs work on the service's database: the configured one, or the private one of a data folder (empty = the
// default folder).
type WithDatabase func(ctx context.Context, dataDir string, work func(db *database.DB) error) error

// CreateOverride applies an override by an Overrider and stores it.
type CreateOverride func(ctx context.Context, db *database.DB, clk clock.Clock, by overrides.Overrider, x *overrides.Override) error

// Command is `gpatlas people`. with opens the database, create comes from module dataops, and check wraps the argument checks
// as the program's others.
func Command(with WithDatabase, create CreateOverride, clk clock.Clock, check func(cobra.PositionalArgs) cobra.PositionalArgs) *cobra.Command {
	var dataDir string
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Answer people's requests about their data, and configure job boards",
		Long: "Answer a person's request about data in the service. find lists the people of a name with their IDs. export prints everything that is\n" +
			"kept of one. suppress removes a person from all responses, also when later filings name the person.\n" +
			"merge makes two IDs one person. split gives a person at one manager an ID of its own, where two people have one.\n" +
			"These three create overrides, which an administrator can list and delete.\n" +
			"board configures the public job boards of managers.\n" +
			"Uses the database of DATABASE_URL, or else the private database of `gpatlas dev`, running or not.",
		Example: "  gpatlas people find \"Linara Uldrigaard\"\n  gpatlas people export per_i7h2e4utcexl6eqt\n" +
			"  gpatlas people suppress per_i7h2e4utcexl6eqt \"objected by letter\"",
		Args: check(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&dataDir, "data-dir", "", "data folder of gpatlas dev, running or not (default: the one that gpatlas dev uses)")
	override := func(use, short, kind string, args int, say func(x *overrides.Override, args []string) string) {
		cmd.AddCommand(&cobra.Command{
			Use: use, Short: short, Args: check(cobra.ExactArgs(args)),
			RunE: func(cmd *cobra.Command, args []string) error {
				return with(cmd.Context(), dataDir, func(db *database.DB) error {
					by, err := newWhoIsWho(db, clk, slog.New(slog.DiscardHandler), jobs.NewEnqueuer(db))
					if err != nil {
						return err
					}
					x := &overrides.Override{Type: kind, EntityID: args[0], Value: json.RawMessage("true"), Reason: args[len(args)-1]}
					if len(args) > 2 {
						x.Value = json.RawMessage(strconv.Quote(args[1]))
					}
					if err := create(cmd.Context(), db, clk, by, x); err != nil {
						return err
					}
					_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s (override %d)\n", say(x, args), x.ID)
					return err
				})
			},
		})
	}
	cmd.AddCommand(&cobra.Command{
		Use: "find NAME", Short: "List the people of a name, with their IDs", Args: check(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(cmd.Context(), dataDir, func(db *database.DB) error {
				return find(cmd.Context(), db, clk, cmd.OutOrStdout(), args[0])
			})
		},
	}, &cobra.Command{
		Use: "export ID", Short: "Print everything that is kept of a person, as JSON", Args: check(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(cmd.Context(), dataDir, func(db *database.DB) error {
				return export(cmd.Context(), db, clk, cmd.OutOrStdout(), args[0])
			})
		},
	})
	override("suppress ID REASON", "Remove a person from all responses", identity.TypeSuppress, 2, func(_ *overrides.Override, args []string) string {
		return args[0] + " is suppressed"
	})
	override("merge ID INTO REASON", "Make two IDs one person, who keeps the second", identity.TypeMerge, 3, func(_ *overrides.Override, args []string) string {
		return args[0] + " and " + args[1] + " are one person now"
	})
	override("split ID CRD REASON", "Give the person at one manager an ID of its own", identity.TypeSplit, 3, func(x *overrides.Override, args []string) string {
		return args[0] + " is " + identity.SplitUID(x.EntityID, args[1]) + " now at CRD " + args[1]
	})
	cmd.AddCommand(boardCommand(func(ctx context.Context, work func(s *hiring.Service) error) error {
		return with(ctx, dataDir, func(db *database.DB) error {
			return work(newHiring(db, nil, clk, slog.New(slog.DiscardHandler)))
		})
	}, check))
	return cmd
}

func find(ctx context.Context, db *database.DB, clk clock.Clock, out io.Writer, name string) error {
	news, err := unread.NewStore(db).News(ctx)
	if err != nil {
		return err
	}
	list, err := identity.NewService(db, clk, slog.New(slog.DiscardHandler)).Find(ctx, name)
	if err != nil {
		return err
	}
	if news {
		_, _ = fmt.Fprintln(out, "Some filings were loaded whose people are not read yet: run this again after gpatlas ingest has ended, or the worker has continued.")
	}
	if len(list) == 0 {
		_, err = fmt.Fprintln(out, "No person of that name is stored.")
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "ID\tNAME\tMANAGER\tCRD\tTITLE\tSTANDING\tNAMED FROM\tNAMED UNTIL")
	for _, f := range list {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", f.PersonUID, f.FullName, f.Firm, f.CRD, f.Title, f.Standing, f.NamedFrom, f.NamedUntil)
	}
	return table.Flush()
}

func export(ctx context.Context, db *database.DB, clk clock.Clock, out io.Writer, uid string) error {
	record, err := identity.NewService(db, clk, slog.New(slog.DiscardHandler)).Export(ctx, uid)
	if err != nil {
		return err
	}
	profile, err := enrichment.Kept(ctx, db, record.PersonUID)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	return encoder.Encode(struct {
		identity.Record

		Profile any `json:"profile"` // data of providers; null if there are none
	}{record, profile})
}
