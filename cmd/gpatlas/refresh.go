package main

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/spf13/cobra"

	"gpatlas/modules/catalog"
	"gpatlas/platform/database"
)

func (p *program) refreshCommand() *cobra.Command {
	var dataDir string
	cmd := &cobra.Command{
		Use:   "refresh",
		Short: "Recompute the derived fields of the catalog, for example after an upgrade",
		Long: "Recompute the derived fields of every adviser and fund by the rules of this release, as of today. Only changed rows are\n" +
			"written, and running processes serve them within seconds. If neither the rules nor the day changed, there is nothing\n" +
			"to write. The worker does the same each day (CATALOG_REFRESH_CRON).\n" +
			"Uses the database of DATABASE_URL, or else the private database of `gpatlas dev`, running or not.",
		Args: usage(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return p.refresh(cmd.Context(), dataDir) },
	}
	cmd.Flags().StringVar(&dataDir, "data-dir", "", "data folder of gpatlas dev, running or not (default: the one that gpatlas dev uses)")
	return cmd
}

// refresh computes derived fields again and returns how many rows changed.
func (p *program) refresh(ctx context.Context, dataDir string) error {
	s, err := p.commandSettings()
	if err != nil {
		return err
	}
	return p.withCatalog(ctx, "refresh", dataDir, s, func(db *database.DB, _ bool, log *slog.Logger) error {
		changed, err := catalog.NewLoader(db, p.clock, log).RefreshDerived(ctx)
		if err != nil {
			return err
		}
		said := fmt.Sprintf("%d advisers and funds changed", changed)
		switch changed {
		case 0:
			said = "nothing changed"
		case 1:
			said = "1 adviser or fund changed"
		}
		_, err = fmt.Fprintln(p.stdout, said)
		return err
	})
}
