package people

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"gpatlas/modules/people/internal/enrichment"
	"gpatlas/modules/people/internal/hiring"
	"gpatlas/modules/people/internal/identity"
	"gpatlas/modules/people/internal/unread"
	"gpatlas/platform/clock"
	"gpatlas/platform/database"
)

// WithDatabase runs work on the service's database: the one that is configured, or the private one of a data folder
// (empty = the usual one).
type WithDatabase func(ctx context.Context, dataDir string, work func(db *database.DB) error) error

// Command is `gpatlas people`: with opens the database, check wraps the check of arguments as the program's own.
func Command(with WithDatabase, clk clock.Clock, check func(cobra.PositionalArgs) cobra.PositionalArgs) *cobra.Command {
	var dataDir string
	cmd := &cobra.Command{
		Use:   "people",
		Short: "Answer people's requests about their data, and configure job boards",
		Long: "Answer a person's request about data in the service. find lists the people of a name with their IDs. export prints everything that is\n" +
			"kept of one. suppress removes a person from all responses, also when later filings name the person; it cannot be undone.\n" +
			"merge says that two IDs are one person. split gives a person at one manager an ID of its own, where two people have one.\n" +
			"board configures the public job boards of managers.\n" +
			"Uses the database of DATABASE_URL, or else the private database of `gpatlas dev`, running or not.",
		Example: "  gpatlas people find \"Linara Uldrigaard\"\n  gpatlas people export per_i7h2e4utcexl6eqt\n" +
			"  gpatlas people suppress per_i7h2e4utcexl6eqt \"objected by letter\"",
		Args: check(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.PersistentFlags().StringVar(&dataDir, "data-dir", "", "data folder of gpatlas dev, running or not (default: the one that gpatlas dev uses)")
	add := func(use, short string, args int, work func(ctx context.Context, people *identity.Service, out io.Writer, args []string) error) {
		cmd.AddCommand(&cobra.Command{
			Use: use, Short: short, Args: check(cobra.ExactArgs(args)),
			RunE: func(cmd *cobra.Command, args []string) error {
				return with(cmd.Context(), dataDir, func(db *database.DB) error {
					return work(cmd.Context(), identity.NewService(db, clk, slog.New(slog.DiscardHandler)), cmd.OutOrStdout(), args)
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
	cmd.AddCommand(&cobra.Command{
		Use: "suppress ID REASON", Short: "Remove a person from all responses, for ever", Args: check(cobra.ExactArgs(2)),
		RunE: func(cmd *cobra.Command, args []string) error {
			return with(cmd.Context(), dataDir, func(db *database.DB) error {
				return suppress(cmd.Context(), db, clk, cmd.OutOrStdout(), args)
			})
		},
	})
	add("merge ID INTO REASON", "Say that two IDs are one person, who keeps the second", 3, merge)
	add("split ID CRD REASON", "Give the person at one manager an ID of its own", 3, split)
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
		_, err = fmt.Fprintln(out, "Nobody of that name is kept.")
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

		Profile any `json:"profile"` // what providers have said; null if nothing
	}{record, profile})
}

func suppress(ctx context.Context, db *database.DB, clk clock.Clock, out io.Writer, args []string) error {
	log := slog.New(slog.DiscardHandler)
	shown, err := operations(db, clk, log)
	if err != nil {
		return err
	}
	removed, err := identity.NewService(db, clk, log).Suppress(ctx, args[0], args[1], shown)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s is suppressed: %d posts removed\n", args[0], removed)
	return err
}

func merge(ctx context.Context, people *identity.Service, out io.Writer, args []string) error {
	if err := people.Merge(ctx, args[0], args[1], args[2]); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "%s and %s are one person now\n", args[0], args[1])
	return err
}

func split(ctx context.Context, people *identity.Service, out io.Writer, args []string) error {
	uid, err := people.Split(ctx, args[0], args[1], args[2])
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%s is %s now at CRD %s\n", args[0], uid, args[1])
	return err
}
